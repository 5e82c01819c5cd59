package io.ringkernel.cuda.codegen;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

import io.ringkernel.exception.UnsupportedMessageTypeException;

/**
 * The command that writes a header: the first argument is the file, the others are the
 * names of record classes on the class path. <pre>{@code
 * java -cp … io.ringkernel.cuda.codegen.HeaderGenerator vector_add_messages.cuh com.example.VectorAddRequest …
 * }</pre> A file that holds the same text already is left alone, so that what is built
 * from it is not built again.
 *
 * @since 0.1.0
 */
public final class HeaderGenerator {

	private HeaderGenerator() {
	}

	/**
	 * Writes the header.
	 * @param arguments the file, then one or more class names
	 * @throws IOException if the file cannot be written
	 * @throws IllegalArgumentException if there is no record of such a name, or no header
	 * can be written for it; without a stack trace, as the message says all
	 */
	public static void main(String... arguments) throws IOException {
		if (arguments.length < 2) {
			throw new HeaderException("Arguments: the header to write, then the names of record classes.");
		}
		write(Path.of(arguments[0]), header(List.of(arguments).subList(1, arguments.length)));
	}

	private static String header(List<String> names) {
		try {
			return MessageHeader.of(names.stream().<Class<? extends Record>>map(HeaderGenerator::message).toList());
		}
		catch (IllegalArgumentException | UnsupportedMessageTypeException ex) {
			throw new HeaderException(String.valueOf(ex.getMessage()));
		}
	}

	private static Class<? extends Record> message(String name) {
		try {
			return Class.forName(name).asSubclass(Record.class);
		}
		catch (ClassNotFoundException ex) {
			throw new HeaderException("There is no class %s on the class path. Compile it before.".formatted(name));
		}
		catch (ClassCastException ex) {
			throw new HeaderException("%s is no record. Messages are records.".formatted(name));
		}
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

	/**
	 * A mistake that the user of the command has to mend. The command shows its message
	 * and nothing else.
	 */
	private static final class HeaderException extends IllegalArgumentException {

		private static final long serialVersionUID = 1;

		private HeaderException(String message) {
			super(message);
		}

		@Override
		public synchronized Throwable fillInStackTrace() {
			return this;
		}

	}

}
