package io.ringkernel.message;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.util.List;

/**
 * What {@link MessageCodec#of} defines anew, as a hidden class, for each layout: the list
 * of its handles comes with the definition. Under its own name it has none.
 */
@SuppressWarnings("unused")
final class ConstantCodec implements MessageCodec {

	private static final MethodHandle MEASURER;

	private static final MethodHandle WRITER;

	private static final MethodHandle READER;

	static {
		try {
			List<?> handles = MethodHandles.classData(MethodHandles.lookup(), "_", List.class);
			MEASURER = (MethodHandle) handles.get(0);
			WRITER = (MethodHandle) handles.get(1);
			READER = (MethodHandle) handles.get(2);
		}
		catch (IllegalAccessException ex) {
			throw new ExceptionInInitializerError(ex);
		}
	}

	@Override
	public int measure(int end, Object message) throws Throwable {
		return (int) MEASURER.invokeExact(end, message);
	}

	@Override
	public int write(int end, Object message, MessageBuffer target, int at) throws Throwable {
		return (int) WRITER.invokeExact(end, message, target, at);
	}

	@Override
	public Object read(MessageBuffer source, int at, int length) throws Throwable {
		return (Object) READER.invokeExact(source, at, length);
	}

}
