package io.ringkernel.cuda.codegen;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * The command that writes a header: the first argument is the file, the others are the
 * names of record classes on the class path. <pre>{@code
 * java -cp … io.ringkernel.cuda.codegen.HeaderGenerator vector_add_messages.cuh com.example.VectorAddRequest …
 * }</pre> A file that holds the same text already is left alone, so that what is built
 * from it is not built again.
 */
public final class HeaderGenerator {

	private HeaderGenerator() {
	}

	/**
	 * Writes the header.
	 * @param arguments the file, then one or more class names
	 * @throws IOException if the file cannot be written
	 * @throws ClassNotFoundException if there is no class of such a name
	 */
	public static void main(String... arguments) throws IOException, ClassNotFoundException {
		if (arguments.length < 2) {
			throw new IllegalArgumentException("Arguments: the header to write, then the names of record classes.");
		}
		List<Class<? extends Record>> messages = new ArrayList<>();
		for (String name : List.of(arguments).subList(1, arguments.length)) {
			messages.add(Class.forName(name).asSubclass(Record.class));
		}
		write(Path.of(arguments[0]), MessageHeader.of(messages));
	}

	private static void write(Path file, String text) throws IOException {
		if (Files.exists(file) && Files.readString(file).equals(text)) {
			return;
		}
		Path directory = file.toAbsolutePath().getParent();
		if (directory != null) {
			Files.createDirectories(directory);
		}
		Files.writeString(file, text);
	}

}
