package io.ringkernel.test.ptx.code;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

import io.ringkernel.test.ptx.machine.Instruction;
import io.ringkernel.test.ptx.text.Operand;
import io.ringkernel.test.ptx.text.Operand.Address;
import io.ringkernel.test.ptx.text.PtxFunction;
import io.ringkernel.test.ptx.text.PtxSyntaxException;
import io.ringkernel.test.ptx.text.ScalarType;
import io.ringkernel.test.ptx.text.Statement;
import io.ringkernel.test.ptx.text.Variable;

/**
 * The calls of a module. They are linked when all functions are decoded: which parts of a
 * parameter a function looks at is known then.
 */
final class Calls {

	private final Map<String, PtxFunction> functions;

	private final Names names;

	private final Map<String, Integer> starts = new HashMap<>();

	private final Map<String, Set<String>> callees = new HashMap<>();

	private final List<Runnable> links = new ArrayList<>();

	Calls(Map<String, PtxFunction> functions, Names names) {
		this.functions = functions;
		this.names = names;
	}

	void start(PtxFunction function, int start) {
		this.starts.put(function.name(), start);
	}

	int start(String function) {
		return Objects.requireNonNull(this.starts.get(function), function);
	}

	/** Appends a call: copies the arguments, runs the function, copies its results. */
	void add(PtxFunction caller, Statement statement, String callee, List<Operand> arguments, List<Operand> results,
			List<Instruction> code) {
		PtxFunction function = this.functions.get(callee);
		if (function == null) {
			throw statement.refused("calls '%s', which has no body".formatted(callee));
		}
		if (arguments.size() != function.parameters().size() || results.size() != function.results().size()) {
			throw statement.refused("does not fit the parameters of '%s'".formatted(callee));
		}
		this.callees.computeIfAbsent(caller.name(), (name) -> new HashSet<>()).add(callee);
		int before = code.size();
		code.addAll(Collections.nCopies(3, Control.UNLINKED));
		this.links.add(() -> {
			code.set(before + 1, new Control.Call(statement, start(callee)));
			code.set(before, moves(statement, function.parameters(), arguments, true));
			code.set(before + 2, moves(statement, function.results(), results, false));
		});
	}

	private LaneInstruction moves(Statement statement, List<Variable> theirs, List<Operand> ours, boolean there) {
		List<Integer> inFunction = new ArrayList<>();
		List<Integer> atCall = new ArrayList<>();
		for (int i = 0; i < theirs.size(); i++) {
			Variable parameter = theirs.get(i);
			for (long offset = 0; offset < parameter.bytes(); offset++) {
				if (there ? this.names.registers().isUsed(parameter, offset)
						: isUsedAtCall(statement, ours.get(i), parameter, offset)) {
					inFunction.add(this.names.registers().parameter(parameter, offset));
					atCall.add(atCall(statement, ours.get(i), offset));
				}
			}
		}
		int[] inside = inFunction.stream().mapToInt(Integer::intValue).toArray();
		int[] outside = atCall.stream().mapToInt(Integer::intValue).toArray();
		return there ? new Moves(statement, outside, inside, ScalarType.B64)
				: new Moves(statement, inside, outside, ScalarType.B64);
	}

	private boolean isUsedAtCall(Statement statement, Operand operand, Variable parameter, long offset) {
		Variable variable = this.names.parameter(statement, address(operand));
		return (variable == null) ? this.names.registers().isUsed(parameter, offset)
				: this.names.registers().isUsed(variable, offset);
	}

	private int atCall(Statement statement, Operand operand, long offset) {
		Variable variable = this.names.parameter(statement, address(operand));
		if (variable != null) {
			return this.names.registers().parameter(variable, offset);
		}
		if (offset != 0) {
			throw statement.refused("passes a struct in a register");
		}
		return this.names.source(statement, operand, ScalarType.B8);
	}

	private static Operand address(Operand operand) {
		return (operand instanceof Operand.Name name) ? new Address(name.text(), 0) : operand;
	}

	void link() {
		for (PtxFunction function : this.functions.values()) {
			refuseRecursion(function, new ArrayList<>());
		}
		this.links.forEach(Runnable::run);
	}

	/** A function has its registers once. */
	private void refuseRecursion(PtxFunction function, List<String> path) {
		if (path.contains(function.name())) {
			throw new PtxSyntaxException(function.line(),
					"'%s' calls itself, by way of %s, which is not supported".formatted(function.name(), path));
		}
		path.add(function.name());
		for (String callee : this.callees.getOrDefault(function.name(), Set.of())) {
			refuseRecursion(Objects.requireNonNull(this.functions.get(callee), callee), path);
		}
		path.remove(path.size() - 1);
	}

}
