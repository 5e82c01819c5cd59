package io.ringkernel.test.ptx.code;

import java.util.Locale;

import io.ringkernel.test.ptx.arithmetic.Integers;
import io.ringkernel.test.ptx.code.Shuffle.Mode;
import io.ringkernel.test.ptx.machine.Instruction;
import io.ringkernel.test.ptx.text.Operand;
import io.ringkernel.test.ptx.text.Operand.Name;
import io.ringkernel.test.ptx.text.Operand.Pair;
import io.ringkernel.test.ptx.text.ScalarType;
import io.ringkernel.test.ptx.text.Statement;
import org.jspecify.annotations.Nullable;

/** Decodes what several threads do together. */
record WarpInstructions(Names names) {

	@Nullable Instruction decode(Statement statement) {
		return switch (statement.operation()) {
			case "bar", "barrier" -> barrier(statement);
			case "shfl" -> shuffle(statement);
			case "vote" -> vote(statement);
			case "match" -> match(statement);
			case "activemask" -> new Vote.ActiveMask(statement, this.names.destination(statement));
			default -> null;
		};
	}

	private Instruction barrier(Statement statement) {
		if (statement.has("warp")) {
			return new Meeting.WarpBarrier(statement, this.names.source(statement, 0, ScalarType.B32));
		}
		if (statement.has("red")) {
			return votingBarrier(statement);
		}
		if (!statement.has("sync")) {
			throw statement.refused("is not supported: threads arrive and wait at once");
		}
		int threads = (statement.operands().size() > 1) ? this.names.source(statement, 1, ScalarType.U32)
				: this.names.registers().number(0);
		return new Meeting.BlockBarrier(statement, this.names.source(statement, 0, ScalarType.U32), threads);
	}

	private Instruction votingBarrier(Statement statement) {
		if (statement.has("popc")) {
			throw statement.refused("is not supported");
		}
		boolean isCounted = statement.operands().size() > 3;
		int threads = isCounted ? this.names.source(statement, 2, ScalarType.U32) : this.names.registers().number(0);
		return new Meeting.VotingBarrier(statement, this.names.flag(statement, Names.operand(statement, 0)).flag(),
				this.names.source(statement, 1, ScalarType.U32), threads,
				this.names.flag(statement, Names.operand(statement, isCounted ? 3 : 2)), statement.has("and"));
	}

	private Instruction shuffle(Statement statement) {
		checkSync(statement);
		Operand to = Names.operand(statement, 0);
		Name value = (to instanceof Pair pair) ? new Name(pair.first(), 0) : (Name) to;
		int inRange = (to instanceof Pair pair) ? this.names.flag(statement, pair.second())
				: this.names.registers().scrapFlag();
		Mode mode = Mode.valueOf(statement.opcode().get(2).toUpperCase(Locale.ROOT));
		return new Shuffle(statement, mode, this.names.destination(statement, value), inRange,
				this.names.source(statement, 1), this.names.source(statement, 2, ScalarType.U32),
				this.names.source(statement, 3, ScalarType.U32), this.names.source(statement, 4, ScalarType.U32));
	}

	private Instruction vote(Statement statement) {
		checkSync(statement);
		Flags.Source source = this.names.flag(statement, Names.operand(statement, 1));
		int members = this.names.source(statement, 2, ScalarType.U32);
		if (statement.has("ballot")) {
			return new Vote.Ballot(statement, this.names.destination(statement), source, members);
		}
		int destination = this.names.flag(statement, Names.operand(statement, 0)).flag();
		return new Vote.Decide(statement, destination, source, switch (statement.opcode().get(2)) {
			case "any" -> (votes, voters) -> (votes != 0) ? -1 : 0;
			case "all" -> (votes, voters) -> (votes == voters) ? -1 : 0;
			case "uni" -> (votes, voters) -> (votes == voters || votes == 0) ? -1 : 0;
			default -> throw statement.refused("is not supported");
		}, members);
	}

	private Instruction match(Statement statement) {
		checkSync(statement);
		if (!statement.has("any")) {
			throw statement.refused("is supported as match.any alone");
		}
		return new Vote.Match(statement, this.names.destination(statement), this.names.source(statement, 1),
				Integers.shift(statement.type()), this.names.source(statement, 2, ScalarType.U32));
	}

	private static void checkSync(Statement statement) {
		if (!statement.has("sync")) {
			throw statement.refused("is supported with .sync alone");
		}
	}

}
