package io.ringkernel.maven;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.Stream;

/**
 * What images are compiled from: options, and all files that a kernel may include. Their
 * digest is kept, so that a build that finds the same has nothing to compile. Times of
 * files would not do: a checkout sets them anew.
 */
final class Inputs {

	private final MessageDigest digest;

	Inputs() {
		try {
			this.digest = MessageDigest.getInstance("SHA-256");
		}
		catch (NoSuchAlgorithmException ex) {
			throw new IllegalStateException("Every JDK has SHA-256", ex);
		}
	}

	Inputs options(List<String> options) {
		options.forEach((option) -> this.digest.update((option + '\0').getBytes(StandardCharsets.UTF_8)));
		return this;
	}

	/** Adds the files of a folder, with their names, if there is one. */
	Inputs folder(Path folder) throws IOException {
		if (!Files.isDirectory(folder)) {
			return this;
		}
		List<Path> files;
		try (Stream<Path> walked = Files.walk(folder)) {
			files = walked.filter(Files::isRegularFile).sorted().toList();
		}
		for (Path file : files) {
			options(List.of(folder.relativize(file).toString(), Long.toString(Files.size(file))));
			this.digest.update(Files.readAllBytes(file));
		}
		return this;
	}

	/** What stands for all that was added, in hexadecimal digits. */
	String stamp() {
		return HexFormat.of().formatHex(this.digest.digest());
	}

	/** The stamp that an earlier build has kept; an empty text if there is none. */
	static String kept(Path file) throws IOException {
		try {
			return Files.readString(file);
		}
		catch (NoSuchFileException ex) {
			return "";
		}
	}

}
