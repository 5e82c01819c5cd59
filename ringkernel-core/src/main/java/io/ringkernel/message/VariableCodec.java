package io.ringkernel.message;

/**
 * Moves one variable part: the elements, and their offset and length in the fixed block.
 *
 * @param site where the offset and the length lie
 * @param capacity the most elements
 * @param elementSize the size of an element in bytes
 * @param unit what the length counts
 * @param elements moves the elements
 */
record VariableCodec(Site site, int capacity, int elementSize, String unit, Elements<Object> elements) {

	int measure(int end, Object value) throws Throwable {
		return endAfter(end, count(value));
	}

	int write(int end, Object value, MessageBuffer target, int at) throws Throwable {
		int count = count(value);
		int begin = (count != 0) ? MessageBuffer.aligned(end) : 0;
		target.putInt(at + this.site.offset(), begin);
		target.putInt(at + this.site.offset() + Integer.BYTES, count);
		if (count != 0) {
			target.zero(at + end, at + begin);
			this.elements.put(value, target, at + begin);
		}
		return endAfter(end, count);
	}

	Object read(MessageBuffer source, int at, int messageLength) throws Throwable {
		int begin = source.getInt(at + this.site.offset());
		int count = source.getInt(at + this.site.offset() + Integer.BYTES);
		if (count == 0) {
			return this.elements.get(source, at, 0);
		}
		if (count < 0 || count > this.capacity) {
			throw this.site.corrupt("has the length " + Integer.toUnsignedString(count) + " " + this.unit
					+ "; its capacity is " + this.capacity);
		}
		// The capacity keeps the product, the check of begin keeps the difference, in
		// range.
		if (begin < this.site.fixedSize() || begin % MessageBuffer.ALIGNMENT != 0
				|| count * this.elementSize > messageLength - begin) {
			throw this.site.corrupt("has " + count + " " + this.unit + " at offset " + Integer.toUnsignedString(begin)
					+ "; they must start at a multiple of " + MessageBuffer.ALIGNMENT + " from " + this.site.fixedSize()
					+ " on and end within the message's " + messageLength + " bytes");
		}
		return this.elements.get(source, at + begin, count);
	}

	private int count(Object value) throws Throwable {
		int count = this.elements.count(value);
		if (count > this.capacity) {
			throw this.site.invalid("has " + count + " " + this.unit + "; its capacity is " + this.capacity
					+ ": send less, or raise @Capacity");
		}
		return count;
	}

	private int endAfter(int end, int count) {
		return (count != 0) ? MessageBuffer.aligned(end) + count * this.elementSize : end;
	}

}
