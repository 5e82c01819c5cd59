package io.ringkernel.state;

/**
 * A part of a kernel's state.
 *
 * @param name what it is called
 * @param type what it consists of, such as {@code int[]}
 * @param bytes its size
 * @since 0.2.0
 */
public record StateField(String name, String type, long bytes) {

	@Override
	public String toString() {
		return "%s of %d B as '%s'".formatted(this.type, this.bytes, this.name);
	}

}
