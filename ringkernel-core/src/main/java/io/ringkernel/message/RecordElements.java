package io.ringkernel.message;

import java.lang.invoke.MethodHandle;
import java.lang.reflect.Array;

/**
 * Arrays of records that have no variable parts, moved element by element. The handles
 * are those of {@link RecordType} with the record as {@link Object}.
 */
record RecordElements(Class<?> type, int size, Site site, MethodHandle measurer, MethodHandle writer,
		MethodHandle reader) implements Elements<Object[]> {

	@Override
	public int count(Object[] array) throws Throwable {
		int end = 0;
		for (int i = 0; i < array.length; i++) {
			if (array[i] == null) {
				throw this.site.element(i)
					.invalid(
							"is null; every element must be a " + this.type.getSimpleName() + ": send a shorter array");
			}
			end = (int) this.measurer.invokeExact(end, array[i]);
		}
		return array.length;
	}

	@Override
	public void put(Object[] array, MessageBuffer target, int at) throws Throwable {
		int end = 0;
		for (int i = 0; i < array.length; i++) {
			end = (int) this.writer.invokeExact(end, array[i], target, at + i * this.size);
		}
	}

	@Override
	public Object[] get(MessageBuffer source, int at, int count) throws Throwable {
		Object[] array = (Object[]) Array.newInstance(this.type, count);
		for (int i = 0; i < count; i++) {
			array[i] = (Object) this.reader.invokeExact(source, at + i * this.size, this.size);
		}
		return array;
	}

}
