package io.ringkernel.message;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.List;

/**
 * The three handles that move one layout's messages, as methods.
 */
interface MessageCodec {

	/** Set in a native image, where no class can be defined. */
	String IMAGE_CODE = "org.graalvm.nativeimage.imagecode";

	/**
	 * Measures as a {@link FieldType}'s measurer does.
	 */
	int measure(int end, Object message) throws Throwable;

	/**
	 * Writes as a {@link FieldType}'s writer does.
	 */
	int write(int end, Object message, MessageBuffer target, int at) throws Throwable;

	/**
	 * Reads as a {@link FieldType}'s reader does.
	 */
	Object read(MessageBuffer source, int at, int length) throws Throwable;

	/**
	 * Makes the codec of a layout: a class of its own, whose constants the handles are,
	 * so that the JIT compiler sees through them. A handle that is a field of an object
	 * is called like a method that it knows nothing of.
	 */
	static MessageCodec of(MethodHandle measurer, MethodHandle writer, MethodHandle reader) {
		if (System.getProperty(IMAGE_CODE) != null) {
			return new HandleCodec(measurer, writer, reader);
		}
		try {
			MethodHandles.Lookup codec = MethodHandles.lookup()
				.defineHiddenClassWithClassData(bytesOfConstantCodec(), List.of(measurer, writer, reader), true);
			return (MessageCodec) codec.findConstructor(codec.lookupClass(), MethodType.methodType(void.class))
				.invoke();
		}
		catch (Throwable ex) {
			throw new IllegalStateException("the codec of a message could not be defined", ex);
		}
	}

	private static byte[] bytesOfConstantCodec() {
		String file = "ConstantCodec.class";
		try (InputStream in = MessageCodec.class.getResourceAsStream(file)) {
			if (in == null) {
				throw new IllegalStateException(file + " is not beside " + MessageCodec.class.getName());
			}
			return in.readAllBytes();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

}
