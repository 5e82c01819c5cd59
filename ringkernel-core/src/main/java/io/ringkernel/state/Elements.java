package io.ringkernel.state;

import java.nio.ByteBuffer;

/**
 * The elements of an array of a primitive type, as bytes.
 */
final class Elements {

	private Elements() {
	}

	/**
	 * The size of an element.
	 */
	static int bytes(Object array) {
		return switch (array.getClass().getComponentType().getName()) {
			case "boolean", "byte" -> Byte.BYTES;
			case "short", "char" -> Short.BYTES;
			case "int", "float" -> Integer.BYTES;
			default -> Long.BYTES;
		};
	}

	/**
	 * Reads elements.
	 * @param first the index of the first one
	 */
	static void read(Object array, int first, ByteBuffer target) {
		int count = target.remaining() / bytes(array);
		if (array instanceof byte[] bytes) {
			target.put(bytes, first, count);
		}
		else if (array instanceof boolean[] booleans) {
			for (int i = first; i < first + count; i++) {
				target.put((byte) (booleans[i] ? 1 : 0));
			}
		}
		else if (array instanceof short[] shorts) {
			target.asShortBuffer().put(shorts, first, count);
		}
		else if (array instanceof char[] chars) {
			target.asCharBuffer().put(chars, first, count);
		}
		else if (array instanceof int[] ints) {
			target.asIntBuffer().put(ints, first, count);
		}
		else if (array instanceof long[] longs) {
			target.asLongBuffer().put(longs, first, count);
		}
		else if (array instanceof float[] floats) {
			target.asFloatBuffer().put(floats, first, count);
		}
		else if (array instanceof double[] doubles) {
			target.asDoubleBuffer().put(doubles, first, count);
		}
	}

	/**
	 * Replaces elements.
	 * @param first the index of the first one
	 */
	static void write(Object array, int first, ByteBuffer source) {
		int count = source.remaining() / bytes(array);
		if (array instanceof byte[] bytes) {
			source.get(bytes, first, count);
		}
		else if (array instanceof boolean[] booleans) {
			for (int i = first; i < first + count; i++) {
				booleans[i] = source.get() != 0;
			}
		}
		else if (array instanceof short[] shorts) {
			source.asShortBuffer().get(shorts, first, count);
		}
		else if (array instanceof char[] chars) {
			source.asCharBuffer().get(chars, first, count);
		}
		else if (array instanceof int[] ints) {
			source.asIntBuffer().get(ints, first, count);
		}
		else if (array instanceof long[] longs) {
			source.asLongBuffer().get(longs, first, count);
		}
		else if (array instanceof float[] floats) {
			source.asFloatBuffer().get(floats, first, count);
		}
		else if (array instanceof double[] doubles) {
			source.asDoubleBuffer().get(doubles, first, count);
		}
	}

}
