package io.ringkernel.maven;

import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.CodeSource;
import java.util.Objects;
import java.util.stream.Stream;

import io.ringkernel.cuda.codegen.MessageHeader;

/**
 * The headers of RingKernel, which lie in its jar.
 */
final class DeviceHeaders {

	private static final String DIRECTORY = "META-INF/ringkernel/include";

	private DeviceHeaders() {
	}

	static void writeTo(Path directory) throws IOException {
		Path source = source();
		if (Files.isDirectory(source)) {
			copy(source.resolve(DIRECTORY), directory);
			return;
		}
		try (FileSystem jar = FileSystems.newFileSystem(source)) {
			copy(jar.getPath(DIRECTORY), directory);
		}
	}

	private static Path source() throws IOException {
		CodeSource source = MessageHeader.class.getProtectionDomain().getCodeSource();
		if (source == null) {
			throw new IOException("The class path does not say where the headers lie");
		}
		try {
			return Path.of(source.getLocation().toURI());
		}
		catch (URISyntaxException ex) {
			throw new IOException("There is no file " + source.getLocation(), ex);
		}
	}

	private static void copy(Path from, Path to) throws IOException {
		try (Stream<Path> files = Files.walk(from)) {
			for (Path file : files.filter(Files::isRegularFile).toList()) {
				Path target = to.resolve(from.relativize(file).toString());
				Files.createDirectories(Objects.requireNonNull(target.getParent()));
				Files.copy(file, target, StandardCopyOption.REPLACE_EXISTING);
			}
		}
	}

}
