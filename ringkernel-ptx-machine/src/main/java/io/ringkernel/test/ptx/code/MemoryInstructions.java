package io.ringkernel.test.ptx.code;

import java.util.List;
import java.util.Set;

import io.ringkernel.test.ptx.machine.Program.Source;
import io.ringkernel.test.ptx.machine.Warp;
import io.ringkernel.test.ptx.text.Operand;
import io.ringkernel.test.ptx.text.Operand.Address;
import io.ringkernel.test.ptx.text.ScalarType;
import io.ringkernel.test.ptx.text.Space;
import io.ringkernel.test.ptx.text.Statement;
import io.ringkernel.test.ptx.text.Variable;
import org.jspecify.annotations.Nullable;

/** Decodes what accesses memory. */
record MemoryInstructions(Names names) {

	private static final Set<String> MODIFIERS = Set.of("global", "shared", "local", "param", "const", "volatile",
			"relaxed", "acquire", "release", "acq_rel", "weak", "cta", "cluster", "gpu", "sys", "ca", "cg", "cs", "cv",
			"lu", "nc", "wb", "wt", "v2", "v4", "noftz", "shared::cta", "unified", "mmio");

	@Nullable LaneInstruction decode(Statement statement) {
		return switch (statement.operation()) {
			case "ld", "ldu" -> load(statement);
			case "st" -> store(statement);
			case "atom" -> atomic(statement, true);
			case "red" -> atomic(statement, false);
			case "cvta" -> addressConversion(statement);
			case "isspacep" -> isInSpace(statement);
			case "fence", "membar" -> new Meeting.Fence(statement);
			case "prefetch", "prefetchu", "applypriority", "discard" -> new Meeting.Fence(statement);
			default -> null;
		};
	}

	private void check(Statement statement, Set<String> operations) {
		List<String> opcode = statement.opcode();
		for (String modifier : opcode.subList(1, opcode.size())) {
			boolean known = MODIFIERS.contains(modifier) || operations.contains(modifier) || modifier.startsWith("L1::")
					|| modifier.startsWith("L2::") || ScalarType.named(modifier) != null;
			if (!known) {
				throw statement.refused("is not supported with ." + modifier);
			}
		}
	}

	private LaneInstruction load(Statement statement) {
		check(statement, Set.of());
		ScalarType type = statement.type();
		Operand from = Names.operand(statement, 1);
		Variable parameter = this.names.parameter(statement, from);
		if (type == ScalarType.B128) {
			int low = this.names.destination(statement);
			return MemoryAccess.load(statement, place(statement, from), ScalarType.B64, low, low + Warp.LANES);
		}
		int[] destinations = this.names.destinations(statement, Names.operand(statement, 0));
		if (parameter != null) {
			return new Moves(statement, parts(parameter, from, type, destinations.length), destinations, type);
		}
		return MemoryAccess.load(statement, place(statement, from), type, destinations);
	}

	private LaneInstruction store(Statement statement) {
		check(statement, Set.of());
		ScalarType type = statement.type();
		Operand to = Names.operand(statement, 0);
		Variable parameter = this.names.parameter(statement, to);
		if (type == ScalarType.B128) {
			int low = this.names.source(statement, 1);
			return MemoryAccess.store(statement, place(statement, to), ScalarType.B64, low, low + Warp.LANES);
		}
		int[] sources = this.names.sources(statement, Names.operand(statement, 1), type);
		if (parameter != null) {
			return new Moves(statement, sources, parts(parameter, to, type, sources.length), type);
		}
		return MemoryAccess.store(statement, place(statement, to), type, sources);
	}

	/** Parameters of functions are registers: nothing takes their address. */
	private int[] parts(Variable parameter, Operand at, ScalarType type, int count) {
		int[] parts = new int[count];
		for (int i = 0; i < count; i++) {
			long offset = ((Address) at).offset() + (long) i * type.bytes();
			parts[i] = this.names.registers().parameter(parameter, offset);
		}
		return parts;
	}

	private LaneInstruction atomic(Statement statement, boolean returns) {
		check(statement, Set.of("add", "exch", "cas", "min", "max", "and", "or", "xor", "inc", "dec"));
		if (statement.type().bytes() < Integer.BYTES || statement.type() == ScalarType.B128) {
			throw statement.refused("is supported for 32 and 64 bits alone");
		}
		int first = returns ? 1 : 0;
		int destination = returns ? this.names.destination(statement) : this.names.registers().scrap();
		int operand = this.names.source(statement, first + 1);
		int replacement = statement.has("cas") ? this.names.source(statement, first + 2) : operand;
		return Atomic.of(statement, place(statement, Names.operand(statement, first)), destination, operand,
				replacement);
	}

	private Place place(Statement statement, Operand operand) {
		return this.names.place(statement, operand, base(space(statement)));
	}

	private static Space space(Statement statement) {
		for (String modifier : statement.opcode()) {
			Space space = Space.named(modifier.replace("::cta", ""));
			if (space != null) {
				return space;
			}
		}
		return Space.GENERIC;
	}

	/** The register of the generic address at which a space begins. */
	private int base(Space space) {
		return switch (space) {
			case SHARED -> this.names.registers().source(Source.SHARED_BASE);
			case LOCAL -> this.names.registers().source(Source.LOCAL_BASE);
			case PARAM -> this.names.registers().source(Source.PARAMETERS);
			default -> this.names.registers().number(0);
		};
	}

	private LaneInstruction addressConversion(Statement statement) {
		int base = base(space(statement));
		int destination = this.names.destination(statement);
		int source = this.names.source(statement, 1);
		return new Compute.Binary(statement, destination, source, base,
				statement.has("to") ? (address, start) -> address - start : Long::sum);
	}

	private LaneInstruction isInSpace(Statement statement) {
		if (space(statement) != Space.SHARED) {
			throw statement.refused("is supported for shared memory alone");
		}
		Registers registers = this.names.registers();
		return new Flags.Within(statement, this.names.flag(statement, Names.operand(statement, 0)).flag(),
				this.names.source(statement, 1, ScalarType.U64), registers.source(Source.SHARED_BASE),
				registers.source(Source.SHARED_BYTES));
	}

}
