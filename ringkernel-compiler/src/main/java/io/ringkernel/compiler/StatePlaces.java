package io.ringkernel.compiler;

import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.Map;
import java.util.OptionalLong;

import io.ringkernel.state.PartField;

/**
 * Where the state of a compiled handler lies in the memory of a device.
 *
 * @since 0.2.0
 */
public final class StatePlaces {

	private final Map<PartField, Long> fields;

	private final IdentityHashMap<Object, Long> arrays;

	/**
	 * Creates the places.
	 * @param fields the offsets of fields that hold numbers, in bytes
	 * @param arrays the offsets of the elements of arrays, in bytes
	 */
	public StatePlaces(Map<PartField, Long> fields, IdentityHashMap<Object, Long> arrays) {
		this.fields = new HashMap<>(fields);
		this.arrays = new IdentityHashMap<>(arrays);
	}

	/**
	 * Where something lies that the handler keeps.
	 * @param key a {@link PartField}, or an array that a field refers to
	 * @return its offset in bytes; nothing if no code uses it
	 */
	public OptionalLong of(Object key) {
		Long at = (key instanceof PartField field) ? this.fields.get(field) : this.arrays.get(key);
		return (at != null) ? OptionalLong.of(at) : OptionalLong.empty();
	}

}
