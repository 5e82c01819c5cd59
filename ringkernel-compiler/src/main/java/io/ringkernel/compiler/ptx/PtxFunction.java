package io.ringkernel.compiler.ptx;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

import io.ringkernel.compiler.ir.Code;
import io.ringkernel.compiler.ir.Constant;
import io.ringkernel.compiler.ir.ConstantData;
import io.ringkernel.compiler.ir.Function;
import io.ringkernel.compiler.ir.Instruction;
import io.ringkernel.compiler.ir.Label;
import io.ringkernel.compiler.ir.Operand;
import io.ringkernel.compiler.ir.Register;
import io.ringkernel.compiler.ir.RegisterType;
import io.ringkernel.compiler.ir.WorkerCall;
import io.ringkernel.compiler.pass.SharedAddresses;
import org.jspecify.annotations.Nullable;

/**
 * Writes the body of a function: an instruction of the code becomes one of PTX, or a few.
 * Addresses are generic, since a message may lie in shared or in device memory, but for
 * those that are known to be of shared memory.
 */
final class PtxFunction {

	/** What the code reads alone. */
	static final String CONSTANTS = "ringkernel_handler_constants";

	/** How many stores of zeros are under way together. */
	private static final int STORES_PER_ROUND = 4;

	/** What a function returns. */
	static final String RESULT = "result";

	/** What a function takes: behind it, the number of the argument. */
	static final String ARGUMENT = "argument";

	/** What a call returns. */
	private static final String OUTCOME = "outcome";

	private final Code code;

	/** Where what is returned goes. */
	private final String returned;

	private final StringBuilder text = new StringBuilder();

	private final Map<RegisterType, TreeSet<Integer>> registers = new EnumMap<>(RegisterType.class);

	private final Map<Label, String> labels = new HashMap<>();

	private final SharedAddresses shared;

	private PtxFunction(Code code, String returned, SharedAddresses shared) {
		this.code = code;
		this.returned = returned;
		this.shared = shared;
	}

	/**
	 * Writes the declarations of the registers of code, then its instructions.
	 * @param shared what the function takes that is an address of shared memory
	 */
	static String of(Code code, WorkerCall worker, Set<Register> shared, ConstantData constants) {
		PtxFunction function = new PtxFunction(code, "handled", SharedAddresses.of(code, shared));
		function.line("ld.param.u64 %s, [call]", function.name(worker.call()));
		function.line("ld.param.u64 %s, [in]", function.name(worker.in()));
		function.line("ld.param.s32 %s, [length]", function.name(worker.length()));
		function.line("ld.param.u64 %s, [out]", function.name(worker.out()));
		function.line("ld.param.s32 %s, [lane]", function.name(worker.lane()));
		function.line("ld.param.s32 %s, [lanes]", function.name(worker.lanes()));
		if (constants.bytes().length > 0) {
			function.line("mov.u64 %s, %s", function.name(constants.address()), CONSTANTS);
			function.line("cvta.global.u64 %s, %1$s", function.name(constants.address()));
		}
		for (Register register : shared) {
			function.line(".reg .u64 %s", function.address(register));
			function.line("cvta.to.shared.u64 %s, %s", function.address(register), function.name(register));
		}
		for (int i = 0; i < code.instructions().size(); i++) {
			Instruction instruction = code.instructions().get(i);
			List<Instruction> row = Vectors.beginning(code.instructions(), i, worker);
			if (row.size() > 1) {
				function.writeTogether(row);
				i += row.size() - 1;
			}
			else {
				function.write(instruction);
			}
		}
		return function.declarations() + function.text;
	}

	/** Writes a function that code calls. */
	static String of(Function called) {
		PtxFunction function = new PtxFunction(called.code(), RESULT, SharedAddresses.of(called.code(), Set.of()));
		for (int i = 0; i < called.parameters().size(); i++) {
			Register parameter = called.parameters().get(i);
			function.line("ld.param.%s %s, [%s%d]", PtxTypes.of(parameter.type()), function.name(parameter), ARGUMENT,
					i);
		}
		called.code().instructions().forEach(function::write);
		return function.declarations() + function.text;
	}

	static String parameter(RegisterType type, String name) {
		return ".param .%s %s".formatted(PtxTypes.bits(type), name);
	}

	private String declarations() {
		StringBuilder declarations = new StringBuilder();
		this.registers.forEach((type, numbers) -> numbers.forEach((number) -> declarations
			.append("\t.reg .%s %s;\n".formatted(PtxTypes.of(type), name(new Register(number, type))))));
		return declarations.toString();
	}

	@SuppressWarnings("AnnotateFormatMethod")
	private void line(String format, Object... arguments) {
		this.text.append('\t').append(format.formatted(arguments)).append(";\n");
	}

	private void write(Instruction instruction) {
		// @formatter:off
		if (instruction instanceof Instruction.Move move) {
			line("mov.%s %s, %s", PtxTypes.of(move.to().type()), name(move.to()), part(move.to(), move.from()));
		}
		else if (instruction instanceof Instruction.Binary binary) {
			line("%s %s, %s, %s", PtxTypes.binary(binary.operator(), binary.left().type()), name(binary.to()), part(binary.to(), binary.left()), part(binary.to(), binary.right()));
		}
		else if (instruction instanceof Instruction.Unary unary) {
			line("%s %s, %s", PtxTypes.unary(unary.operator(), unary.from().type()), name(unary.to()), name(unary.from()));
		}
		else if (instruction instanceof Instruction.FusedMultiplyAdd fma) {
			line("fma.rn.%s %s, %s, %s, %s", PtxTypes.of(fma.to().type()), name(fma.to()), name(fma.left()), name(fma.right()), name(fma.addend()));
		}
		else if (instruction instanceof Instruction.Convert convert) {
			line("%s %s, %s", PtxTypes.conversion(convert.conversion(), convert.to().type(), convert.from().type()), name(convert.to()), name(convert.from()));
		}
		else if (instruction instanceof Instruction.Compare compare) {
			line("setp.%s %s, %s, %s", PtxTypes.comparison(compare.comparison(), compare.unordered(), compare.left().type()), name(compare.to()), name(compare.left()), name(compare.right()));
		}
		else if (instruction instanceof Instruction.Select select) {
			line("selp.%s %s, %s, %s, %s", PtxTypes.bits(select.to().type()), name(select.to()), name(select.yes()), name(select.no()), name(select.predicate()));
		}
		else if (instruction instanceof Instruction.Load load) {
			line("ld%s.%s %s, [%s+%d]", space(load.base()), PtxTypes.memory(load.as()), name(load.to()), address(load.base()), load.offset());
		}
		else if (instruction instanceof Instruction.Store store) {
			line("%sst%s.%s [%s+%d], %s", guard(store.guard()), space(store.base()), PtxTypes.memory(store.as()), address(store.base()), store.offset(), name(store.value()));
		}
		else if (instruction instanceof Instruction.Atomic atomic) {
			atomic(atomic);
		}
		else if (instruction instanceof Instruction.Mark mark) {
			this.text.append(name(mark.label())).append(":\n");
		}
		else if (instruction instanceof Instruction.Jump jump) {
			line("bra %s", name(jump.to()));
		}
		else if (instruction instanceof Instruction.Branch branch) {
			line("@%s%s bra %s", branch.when() ? "" : "!", name(branch.predicate()), name(branch.to()));
		}
		else if (instruction instanceof Instruction.Sync sync) {
			meet(sync.worker(), "bar.warp.sync -1", "barrier.sync barrier, %s".formatted(name(sync.worker().lanes())));
		}
		else if (instruction instanceof Instruction.Vote vote) {
			vote(vote);
		}
		else if (instruction instanceof Instruction.Clear clear) {
			clear(clear);
		}
		else if (instruction instanceof Instruction.Shuffle shuffle) {
			shuffle(shuffle);
		}
		else if (instruction instanceof Instruction.Call call) {
			call(call);
		}
		else if (instruction instanceof Instruction.Source source) {
			this.text.append("\t// ").append(source.text()).append('\n');
		}
		else if (instruction instanceof Instruction.Return end) {
			end(end.values());
		}
		// @formatter:on
	}

	/** Loads or stores side by side. */
	private void writeTogether(List<Instruction> row) {
		String values = row.stream()
			.map((instruction) -> name((instruction instanceof Instruction.Store store) ? store.value()
					: ((Instruction.Load) instruction).to()))
			.collect(Collectors.joining(", ", "{", "}"));
		if (row.get(0) instanceof Instruction.Store store) {
			line("%sst%s.v%d.%s [%s+%d], %s", guard(store.guard()), space(store.base()), row.size(),
					PtxTypes.memory(store.as()), address(store.base()), store.offset(), values);
		}
		else if (row.get(0) instanceof Instruction.Load load) {
			line("ld%s.v%d.%s %s, [%s+%d]", space(load.base()), row.size(), PtxTypes.memory(load.as()), values,
					address(load.base()), load.offset());
		}
	}

	/** Where an access by an address is known to lead. */
	private String space(Register address) {
		return this.shared.contains(address) ? ".shared" : "";
	}

	/** An address, as an access takes it. */
	private String address(Register address) {
		return this.shared.isTaken(address) ? "%s" + address.number() : name(address);
	}

	/** What a value is made of: an address of shared memory, of one. */
	private String part(Register made, Operand from) {
		return (this.shared.contains(made) && this.shared.contains(from)) ? address((Register) from) : name(from);
	}

	private String guard(@Nullable Register guard) {
		return (guard != null) ? "@" + name(guard) + " " : "";
	}

	private void vote(Instruction.Vote vote) {
		String any = name(vote.any());
		String predicate = name(vote.predicate());
		meet(vote.worker(), "bar.warp.sync -1;\n\tvote.sync.any.pred %s, %s, -1".formatted(any, predicate),
				"barrier.red.or.pred %s, barrier, %s, %s".formatted(any, name(vote.worker().lanes()), predicate));
	}

	/**
	 * One warp needs no barrier of the block's. Threads of a warp may have gone different
	 * ways, so the barriers of others are not the aligned ones.
	 */
	private void meet(WorkerCall worker, String ofWarp, String ofMore) {
		String warp = name(new Label());
		String behind = name(new Label());
		this.text.append("\t{\n");
		line(".reg .pred isWarp");
		line(".reg .b32 barrier");
		line("setp.eq.s32 isWarp, %s, 32", name(worker.lanes()));
		line("@isWarp bra.uni %s", warp);
		line("ld%s.b32 barrier, [%s+%d]", space(worker.call()), address(worker.call()), WorkerCall.BARRIER);
		line("%s", ofMore);
		line("bra.uni %s", behind);
		this.text.append(warp).append(":\n");
		line("%s", ofWarp);
		this.text.append(behind).append(":\n");
		this.text.append("\t}\n");
	}

	/** Sixteen bytes a store and thread, and four stores a round. */
	private void clear(Instruction.Clear clear) {
		String next = name(new Label());
		String done = name(new Label());
		this.text.append("\t{\n");
		line(".reg .pred within");
		line(".reg .b32 zero");
		line(".reg .b64 place, limit, stride");
		line("mov.b32 zero, 0");
		line("mul.wide.u32 stride, %s, 16", name(clear.worker().lanes()));
		line("mul.wide.u32 place, %s, 16", name(clear.worker().lane()));
		line("add.u64 place, place, %s", name(clear.base()));
		line("cvt.u64.u32 limit, %s", name(clear.bytes()));
		line("add.u64 limit, limit, %s", name(clear.base()));
		this.text.append(next).append(":\n");
		line("setp.lt.u64 within, place, limit");
		line("@!within bra %s", done);
		line("st.v4.b32 [place], {zero, zero, zero, zero}");
		for (int i = 1; i < STORES_PER_ROUND; i++) {
			line("add.u64 place, place, stride");
			line("setp.lt.u64 within, place, limit");
			line("@within st.v4.b32 [place], {zero, zero, zero, zero}");
		}
		line("add.u64 place, place, stride");
		line("bra %s", next);
		this.text.append(done).append(":\n");
		this.text.append("\t}\n");
	}

	/** What is more than one value is of 32 bits each. */
	private void end(List<Operand> values) {
		for (int i = 0; i < values.size(); i++) {
			line("st.param.%s [%s+%d], %s", PtxTypes.bits(values.get(i).type()), this.returned, i * Integer.BYTES,
					name(values.get(i)));
		}
		line("ret");
	}

	/**
	 * Threads of a warp may have gone different ways, so the call is no uniform one. Its
	 * parameters have names of their own: the assembler takes a name that the calling
	 * function has as well for that of the function.
	 */
	private void call(Instruction.Call call) {
		List<String> arguments = new ArrayList<>();
		this.text.append("\t{\n");
		for (Operand argument : call.arguments()) {
			String place = "passed" + arguments.size();
			arguments.add(place);
			line("%s", parameter(argument.type(), place));
			line("st.param.%s [%s], %s", PtxTypes.of(argument.type()), place, name(argument));
		}
		line("%s", parameter(call.to().type(), OUTCOME));
		line("call (%s), %s, (%s)", OUTCOME, call.function(), String.join(", ", arguments));
		line("ld.param.%s %s, [%s]", PtxTypes.of(call.to().type()), name(call.to()), OUTCOME);
		this.text.append("\t}\n");
	}

	/**
	 * With a generic address, the assembler adds a test whether it is one of shared
	 * memory, and a loop for that case. A step whose result nothing reads waits for none.
	 * On state, a compare-and-set orders what is around it, and so does a step that one
	 * thread makes for all, so that handlers can build locks of them. All threads read
	 * what that one finds.
	 */
	private void atomic(Instruction.Atomic atomic) {
		boolean orders = atomic.global() && (atomic.guard() != null || atomic.replacement() != null);
		String operation = (atomic.global() ? ".global" : "") + "."
				+ PtxTypes.atomic(atomic.operation(), atomic.to().type());
		String operands = "[%s], %s".formatted(atomic.global() ? "place" : name(atomic.base()), name(atomic.operand()));
		this.text.append("\t{\n");
		if (atomic.global()) {
			line(".reg .b64 place");
			line("cvta.to.global.u64 place, %s", name(atomic.base()));
		}
		if (atomic.replacement() != null || this.code.reads(atomic.to())) {
			String replacement = (atomic.replacement() != null) ? ", " + name(atomic.replacement()) : "";
			line("%satom%s%s %s, %s%s", guard(atomic.guard()), orders ? ".acq_rel.gpu" : "", operation,
					name(atomic.to()), operands, replacement);
		}
		else {
			line("%sred%s %s", guard(atomic.guard()), operation, operands);
		}
		this.text.append("\t}\n");
	}

	/** A shuffle moves 32 bits. */
	private void shuffle(Instruction.Shuffle shuffle) {
		String to = name(shuffle.to());
		String from = name(shuffle.from());
		int distance = shuffle.distance();
		if (!PtxTypes.isWide(shuffle.to().type())) {
			line("shfl.sync.down.b32 %s, %s, %d, 31, -1", to, from, distance);
			return;
		}
		this.text.append("\t{\n");
		line(".reg .b32 low, high");
		line("mov.b64 {low, high}, %s", from);
		line("shfl.sync.down.b32 low, low, %d, 31, -1", distance);
		line("shfl.sync.down.b32 high, high, %d, 31, -1", distance);
		line("mov.b64 %s, {low, high}", to);
		this.text.append("\t}\n");
	}

	private String name(Label label) {
		return this.labels.computeIfAbsent(label, (any) -> "$L" + this.labels.size());
	}

	private String name(Operand operand) {
		if (operand instanceof Constant constant) {
			return PtxTypes.constant(constant);
		}
		Register register = (Register) operand;
		this.registers.computeIfAbsent(register.type(), (type) -> new TreeSet<>()).add(register.number());
		return PtxTypes.prefix(register.type()) + register.number();
	}

}
