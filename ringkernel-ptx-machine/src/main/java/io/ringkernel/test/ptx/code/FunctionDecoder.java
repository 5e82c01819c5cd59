package io.ringkernel.test.ptx.code;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;

import io.ringkernel.test.ptx.code.Flags.Source;
import io.ringkernel.test.ptx.machine.Instruction;
import io.ringkernel.test.ptx.text.Operand;
import io.ringkernel.test.ptx.text.Operand.Name;
import io.ringkernel.test.ptx.text.Operand.Vector;
import io.ringkernel.test.ptx.text.PtxFunction;
import io.ringkernel.test.ptx.text.ScalarType;
import io.ringkernel.test.ptx.text.Statement;
import org.jspecify.annotations.Nullable;

/** Decodes the statements of a function. Each becomes one instruction or a few. */
final class FunctionDecoder {

	private final PtxFunction function;

	private final List<Instruction> code;

	private final Names names;

	private final Calls calls;

	/** The first instruction of each statement, and of the end. */
	private final int[] starts;

	private final List<Runnable> links = new ArrayList<>();

	FunctionDecoder(PtxFunction function, List<Instruction> code, Names names, Calls calls) {
		this.function = function;
		this.code = code;
		this.names = names;
		this.calls = calls;
		this.starts = new int[function.body().size() + 1];
	}

	/** Appends the code of the function. */
	void decode() {
		List<Statement> body = this.function.body();
		for (int i = 0; i < body.size(); i++) {
			this.starts[i] = this.code.size();
			decode(body.get(i));
		}
		this.starts[body.size()] = this.code.size();
		this.code.add(new Control.Trap("%s in line %d".formatted(this.function.name(), this.function.line()),
				"runs past the end of a function"));
		this.links.forEach(Runnable::run);
	}

	private void decode(Statement statement) {
		LaneInstruction simple = simple(statement);
		if (simple != null) {
			this.code.add(
					(statement.guard() == null) ? simple : new Guarded(statement, simple, this.names.guard(statement)));
			return;
		}
		if (statement.operation().equals("bra")) {
			branch(statement, this.names.guard(statement), Names.operand(statement, 0));
			return;
		}
		if (statement.guard() == null) {
			control(statement);
			return;
		}
		// The lanes that do not execute it go around.
		Source guard = this.names.guard(statement);
		int around = this.code.size();
		this.code.add(Control.UNLINKED);
		control(statement);
		this.code.set(around,
				new Control.Branch(statement, new Source(guard.flag(), !guard.negated()), this.code.size()));
	}

	private @Nullable LaneInstruction simple(Statement statement) {
		LaneInstruction memory = new MemoryInstructions(this.names).decode(statement);
		if (memory != null) {
			return memory;
		}
		if (Set
			.of("bra", "brx", "call", "ret", "exit", "trap", "brkpt", "nanosleep", "bar", "barrier", "shfl", "vote",
					"match", "activemask")
			.contains(statement.operation())) {
			return null;
		}
		LaneInstruction value = new ValueInstructions(this.names).decode(statement);
		if (value == null) {
			throw statement.refused("is not supported");
		}
		return value;
	}

	private void control(Statement statement) {
		switch (statement.operation()) {
			case "brx" -> tableBranch(statement);
			case "call" -> call(statement);
			case "ret" -> this.code.add(new Control.Return(statement));
			case "exit" -> this.code.add(new Control.Exit(statement));
			case "trap", "brkpt" -> this.code.add(new Control.Trap(statement.describe(), "executes a trap"));
			case "nanosleep" ->
				this.code.add(new Control.Sleep(statement, this.names.source(statement, 0, ScalarType.U32)));
			default -> {
				Instruction together = new WarpInstructions(this.names).decode(statement);
				if (together == null) {
					throw statement.refused("is not supported");
				}
				this.code.add(together);
			}
		}
	}

	private void branch(Statement statement, Source taken, Operand target) {
		link(() -> new Control.Branch(statement, taken, target(statement, ((Name) target).text())));
	}

	private void tableBranch(Statement statement) {
		String table = ((Name) Names.operand(statement, 1)).text();
		List<String> labels = statement.scope().targets(table);
		if (labels == null) {
			throw statement.refused("has no list of targets");
		}
		int index = this.names.source(statement, 0, ScalarType.U32);
		link(() -> new Control.TableBranch(statement, index,
				labels.stream().mapToInt((label) -> target(statement, label)).toArray()));
	}

	/** Appends an instruction that is made once all statements have their places. */
	private void link(Supplier<Instruction> instruction) {
		int at = this.code.size();
		this.code.add(Control.UNLINKED);
		this.links.add(() -> this.code.set(at, instruction.get()));
	}

	private int target(Statement statement, String label) {
		Integer index = statement.scope().statement(label);
		if (index == null) {
			throw statement.refused("branches to '%s', which is not there".formatted(label));
		}
		return this.starts[index];
	}

	/** The results and the arguments are lists; either may be left out. */
	private void call(Statement statement) {
		List<Operand> operands = new ArrayList<>(statement.operands());
		List<Operand> results = List.of();
		if (!operands.isEmpty() && operands.get(0) instanceof Vector vector) {
			results = vector.elements();
			operands.remove(0);
		}
		if (operands.isEmpty() || !(operands.get(0) instanceof Name callee)
				|| statement.scope().variable(callee.text()) != null) {
			throw statement.refused("is supported for functions that are named alone");
		}
		List<Operand> arguments = (operands.size() > 1 && operands.get(1) instanceof Vector vector) ? vector.elements()
				: List.of();
		this.calls.add(this.function, statement, callee.text(), arguments, results, this.code);
	}

}
