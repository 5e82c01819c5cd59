package io.ringkernel.message;

import java.nio.ByteBuffer;

/**
 * Arrays of booleans, one byte each.
 */
record BooleanElements(Site site) implements Elements<boolean[]> {

	@Override
	public int count(boolean[] array) {
		return array.length;
	}

	@Override
	public void put(boolean[] array, MessageBuffer target, int at) {
		ByteBuffer bytes = target.bytes();
		for (int i = 0; i < array.length; i++) {
			bytes.put(at + i, (byte) (array[i] ? 1 : 0));
		}
	}

	@Override
	public boolean[] get(MessageBuffer source, int at, int count) {
		ByteBuffer bytes = source.bytes();
		boolean[] array = new boolean[count];
		for (int i = 0; i < count; i++) {
			array[i] = decode(bytes.get(at + i), this.site);
		}
		return array;
	}

	static boolean decode(byte value, Site site) {
		if ((value & ~1) != 0) {
			throw site.corrupt("holds the byte " + value + "; a boolean is 0 or 1");
		}
		return value != 0;
	}

}
