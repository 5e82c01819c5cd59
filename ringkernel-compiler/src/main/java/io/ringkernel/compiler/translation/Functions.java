package io.ringkernel.compiler.translation;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;

import io.ringkernel.compiler.ir.Code;
import io.ringkernel.compiler.ir.Instruction;
import io.ringkernel.compiler.ir.Operand;
import io.ringkernel.compiler.ir.Register;
import io.ringkernel.compiler.value.Value;
import org.jspecify.annotations.Nullable;

/**
 * The functions that the handler calls and that are not translated in place: those of the
 * strict room. They are large, and neither throw nor touch memory.
 *
 * @since 0.2.0
 */
public final class Functions {

	private static final String PREFIX = "ringkernel_function_";

	private final Code code;

	/** Those that have been translated; what one of them calls comes before it. */
	private final Map<String, io.ringkernel.compiler.ir.Function> translated = new LinkedHashMap<>();

	Functions(Code code) {
		this.code = code;
	}

	/** All that the handler calls, each behind those that it calls itself. */
	public List<io.ringkernel.compiler.ir.Function> all() {
		return List.copyOf(this.translated.values());
	}

	/** Calls a function, whose method is translated in place the first time. */
	public Value call(String name, List<Value> arguments, Function<List<Value>, @Nullable Value> body) {
		io.ringkernel.compiler.ir.Function function = this.translated.get(name);
		if (function == null) {
			function = translate(name, arguments, body);
			this.translated.put(name, function);
		}
		Register result = this.code.register(function.result());
		this.code.add(
				new Instruction.Call(function.name(), result, arguments.stream().<Operand>map(Value::scalar).toList()));
		return Value.of(result);
	}

	private io.ringkernel.compiler.ir.Function translate(String name, List<Value> arguments,
			Function<List<Value>, @Nullable Value> body) {
		int begin = this.code.instructions().size();
		List<Register> parameters = new ArrayList<>();
		arguments.forEach((argument) -> parameters.add(this.code.register(argument.scalar().type())));
		Value result = Objects.requireNonNull(body.apply(parameters.stream().map(Value::of).toList()), name);
		this.code.add(new Instruction.Return(List.of(result.scalar())));
		return new io.ringkernel.compiler.ir.Function(PREFIX + name, parameters, result.scalar().type(),
				this.code.detach(begin));
	}

}
