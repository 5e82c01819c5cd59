package io.ringkernel.message;

import java.lang.invoke.MethodHandle;

/**
 * A codec where no class can be defined.
 */
record HandleCodec(MethodHandle measurer, MethodHandle writer, MethodHandle reader) implements MessageCodec {

	@Override
	public int measure(int end, Object message) throws Throwable {
		return (int) this.measurer.invokeExact(end, message);
	}

	@Override
	public int write(int end, Object message, MessageBuffer target, int at) throws Throwable {
		return (int) this.writer.invokeExact(end, message, target, at);
	}

	@Override
	public Object read(MessageBuffer source, int at, int length) throws Throwable {
		return (Object) this.reader.invokeExact(source, at, length);
	}

}
