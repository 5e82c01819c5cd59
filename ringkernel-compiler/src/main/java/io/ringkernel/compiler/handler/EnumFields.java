package io.ringkernel.compiler.handler;

import java.lang.reflect.Field;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

import io.ringkernel.compiler.ir.Comparison;
import io.ringkernel.compiler.ir.Constant;
import io.ringkernel.compiler.ir.Operand;
import io.ringkernel.compiler.ir.Register;
import io.ringkernel.compiler.translation.Translation;
import io.ringkernel.compiler.value.Shape;
import io.ringkernel.compiler.value.Value;

/**
 * What the constants of an enum have: the device chooses it by the ordinal.
 *
 * @since 0.2.0
 */
public record EnumFields(Translation translation) {

	public Value name(Value constant) {
		return chosen(constant, Object.class, "the name",
				(each) -> Value.of(new Shape.Text(((Enum<?>) each).name(), true)));
	}

	Value read(Value constant, Field field, Function<Object, Value> content) {
		return chosen(constant, field.getDeclaringClass(), "the field " + field.getName(), content);
	}

	/** Of constants that are of a class alone: the others have no such field. */
	private Value chosen(Value constant, Class<?> owner, String what, Function<Object, Value> content) {
		List<Object> constants = this.translation.classes().constants(((Shape.EnumOf) constant.shape()).type());
		if (constant.scalar() instanceof Constant ordinal) {
			return content.apply(constants.get((int) ordinal.bits()));
		}
		Map<Integer, Value> values = new LinkedHashMap<>();
		for (int i = 0; i < constants.size(); i++) {
			if (owner.isInstance(constants.get(i))) {
				values.put(i, content.apply(constants.get(i)));
			}
		}
		List<Value> distinct = values.values().stream().distinct().toList();
		if (distinct.size() == 1) {
			return distinct.get(0);
		}
		values.replaceAll((ordinal, value) -> this.translation.constants().placed(value));
		return selected(constant.scalar(), values, what);
	}

	private Value selected(Operand ordinal, Map<Integer, Value> values, String what) {
		Value chosen = null;
		for (Map.Entry<Integer, Value> value : values.entrySet()) {
			chosen = (chosen == null) ? value.getValue()
					: either(ordinal, value.getKey(), value.getValue(), chosen, what);
		}
		if (chosen == null) {
			throw new IllegalStateException("an enum without constants has a constant");
		}
		return (chosen.shape() instanceof Shape.ArrayOf) ? this.translation.ofWorker(chosen) : chosen;
	}

	private Value either(Operand ordinal, int key, Value value, Value other, String what) {
		if (!value.shape().equals(other.shape())) {
			throw this.translation.refuse("%s is another kind of value for each constant of the enum".formatted(what),
					"Use the same kind for all of them.");
		}
		Register isOne = this.translation.code().compare(Comparison.EQ, ordinal, Constant.of(key));
		List<Operand> scalars = new ArrayList<>();
		for (int i = 0; i < value.scalars().size(); i++) {
			Operand one = value.scalars().get(i);
			Operand another = other.scalars().get(i);
			scalars.add(one.equals(another) ? one : this.translation.code().select(isOne, one, another));
		}
		return new Value(value.shape(), scalars);
	}

}
