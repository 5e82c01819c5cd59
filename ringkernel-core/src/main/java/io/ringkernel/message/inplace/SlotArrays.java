package io.ringkernel.message.inplace;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

import io.ringkernel.Capacity;
import io.ringkernel.message.MessageLayout;
import io.ringkernel.message.VariableArray;

/**
 * The frames of a message in a slot: one for its fixed block, and one for each array or
 * string with {@link Capacity @Capacity} among the components of the record.
 */
final class SlotArrays {

	private final Class<?> type;

	private final SlotFrame fields;

	private final Map<String, SlotArray> byName = new HashMap<>();

	private final List<SlotArray> inOrder;

	SlotArrays(MessageLayout<?> layout) {
		this.type = layout.type();
		this.fields = new SlotFrame(layout.type(), 1, layout.fixedSize());
		this.inOrder = layout.variableArrays().stream().map((array) -> new SlotArray(array, this.type)).toList();
		this.inOrder.forEach((array) -> this.byName.put(array.description().name(), array));
	}

	SlotFrame fields() {
		return this.fields;
	}

	/**
	 * The arrays in the order of the components.
	 */
	List<SlotArray> inOrder() {
		return this.inOrder;
	}

	SlotArray get(String component) {
		SlotArray array = this.byName.get(component);
		if (array == null) {
			throw new IllegalArgumentException(
					"%s has no array or string '%s' with @Capacity that is always there; it has %s".formatted(
							this.type.getSimpleName(), component,
							this.inOrder.stream().map((each) -> each.description().name()).toList()));
		}
		return array;
	}

	void close() {
		this.fields.close();
		for (int i = 0; i < this.inOrder.size(); i++) {
			this.inOrder.get(i).frame().close();
		}
	}

	/**
	 * An array of a message.
	 *
	 * @param description knows where it is described and what is allowed
	 * @param frame its elements
	 */
	record SlotArray(VariableArray description, SlotFrame frame) {

		SlotArray(VariableArray description, Class<?> message) {
			this(description, new SlotFrame(message, description.capacity(), description.elementSize()));
		}

		int offset() {
			return this.description.offset();
		}

	}

}
