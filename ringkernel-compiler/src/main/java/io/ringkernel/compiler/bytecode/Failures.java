package io.ringkernel.compiler.bytecode;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;

import io.ringkernel.backend.FailurePoint;
import io.ringkernel.compiler.ir.Code;
import io.ringkernel.compiler.ir.Comparison;
import io.ringkernel.compiler.ir.Constant;
import io.ringkernel.compiler.ir.Instruction;
import io.ringkernel.compiler.ir.Label;
import io.ringkernel.compiler.ir.Operand;
import io.ringkernel.compiler.ir.Operator;
import io.ringkernel.compiler.ir.Register;
import io.ringkernel.compiler.ir.Type;
import org.jspecify.annotations.Nullable;

/**
 * The exceptions that the code may throw, and what the device does then. Outside parallel
 * parts, all threads fail alike, and return. In a parallel part, a thread remembers what
 * it failed at; behind the part, where all meet, the failure of the lowest index is that
 * of the request, as in Java. What is done then lies behind the code of the handler.
 */
final class Failures {

	private static final int INDEX_BITS = 31;

	private final Translation translation;

	private final Code code;

	private final List<FailurePoint> known = new ArrayList<>();

	private final Map<Exit, Label> exits = new HashMap<>();

	/** What lies behind the code of the handler, and may add to itself. */
	private final Deque<Runnable> behind = new ArrayDeque<>();

	/** Where the message of an exception is looked for. */
	private final Set<Label> chosen = new HashSet<>();

	/** 0 while this thread has not failed. */
	private final Register failedCode;

	private final Register failedIndex;

	/** Where threads go of which one has failed, by the lock that they have. */
	private final Map<@Nullable Held, Label> settles = new LinkedHashMap<>();

	/** The lock of the body that is being translated. */
	private @Nullable Held held;

	Failures(Translation translation) {
		this.translation = translation;
		this.code = translation.code;
		this.failedCode = this.code.copy(Constant.ZERO);
		this.failedIndex = this.code.copy(Constant.of(-1));
	}

	/** All that may be thrown; code 1 is the first. */
	List<FailurePoint> known() {
		return this.known;
	}

	/** Throws if a predicate is as stated. */
	void throwIf(Register predicate, boolean when, String exception, @Nullable String message) {
		this.code.add(new Instruction.Branch(predicate, when, exit(exception, message)));
	}

	/** Throws in any case. */
	void raise(Value thrown) {
		if (!(thrown.shape() instanceof Shape.Failing failing)) {
			throw this.translation.refuse("an exception is thrown that was not made there", "Write throw new.");
		}
		this.code.add(new Instruction.Jump(failing.isChosen() ? choice(failing.type(), thrown.scalar())
				: exit(failing.type(), failing.message())));
	}

	private Label exit(String exception, @Nullable String message) {
		return exit(here(exception), message);
	}

	private Thrown here(String exception) {
		Translation.Site site = this.translation.site();
		Lane work = this.translation.work();
		if (work != null) {
			work.mayFail();
		}
		return new Thrown(
				new FailurePoint(exception, null, site.method().className(), site.method().node().name, site.line()),
				work, this.held);
	}

	private Label exit(Thrown thrown, @Nullable String message) {
		FailurePoint at = thrown.failure();
		FailurePoint failure = new FailurePoint(at.exception(), message, at.className(), at.methodName(), at.line());
		return this.exits.computeIfAbsent(new Exit(code(failure), thrown.work(), thrown.held()), this::exit);
	}

	/**
	 * Where the address of a message tells which one it is. What is no constant is left
	 * out. All constants are known behind the code of the handler.
	 */
	private Label choice(String exception, Operand message) {
		Label label = new Label();
		Thrown thrown = here(exception);
		this.chosen.add(label);
		this.behind.add(() -> {
			this.code.add(new Instruction.Mark(label));
			this.translation.constants.forEachText((text, address) -> {
				Register isOne = this.code.compare(Comparison.EQ, message, address);
				this.code.add(new Instruction.Branch(isOne, true, exit(thrown, text)));
			});
			this.code.add(new Instruction.Jump(exit(thrown, null)));
		});
		return label;
	}

	/** Whether a request fails that comes to a label. */
	boolean isExit(Label label) {
		return this.exits.containsValue(label) || this.settles.containsValue(label) || this.chosen.contains(label);
	}

	private int code(FailurePoint failure) {
		if (!this.known.contains(failure)) {
			this.known.add(failure);
		}
		return this.known.indexOf(failure) + 1;
	}

	/** Releases the lock, and ends the handler. */
	private void end(@Nullable Held lock) {
		if (lock != null) {
			AtomicAccess.add(this.translation, lock.lock(), lock.release());
		}
		this.code.add(this.translation.response.finish());
	}

	boolean isLocked() {
		return this.held != null;
	}

	/** Translates what is done with a lock. */
	<T> T holding(Held lock, Supplier<T> body) {
		this.held = lock;
		try {
			return body.get();
		}
		finally {
			this.held = null;
		}
	}

	private Label exit(Exit exit) {
		Label label = new Label();
		this.behind.add(() -> {
			this.code.add(new Instruction.Mark(label));
			if (exit.work() != null) {
				remember(exit.code(), exit.work());
			}
			else {
				fail(Constant.of(exit.code()));
				end(exit.held());
			}
		});
		return label;
	}

	/** A thread does not go through indices in ascending order in a reduction. */
	private void remember(int failed, Lane work) {
		Register isLower = this.code.compare(Comparison.BELOW, work.index(), this.failedIndex);
		this.code.add(new Instruction.Branch(isLower, false, work.meeting()));
		this.code.move(this.failedCode, Constant.of(failed));
		this.code.move(this.failedIndex, work.index());
		this.code.add(new Instruction.Jump(work.meeting()));
	}

	private void fail(Operand failed) {
		this.translation.worker.fail(this.code, failed);
	}

	/** All threads meet behind a part in which some may have failed. */
	void meet() {
		Label settle = this.settles.computeIfAbsent(this.held, (lock) -> new Label());
		Register failed = this.code.compare(Comparison.NE, this.failedCode, Constant.ZERO);
		this.code.add(new Instruction.Branch(this.translation.worker.any(this.code, failed), true, settle));
	}

	/** Adds what lies behind the code of the handler. */
	void finish() {
		while (!this.behind.isEmpty()) {
			this.behind.remove().run();
		}
		this.settles.forEach((lock, settle) -> {
			this.code.add(new Instruction.Mark(settle));
			settle(lock);
		});
	}

	/**
	 * The threads agree on the lowest index bit by bit, and the one that has it fails.
	 */
	private void settle(@Nullable Held lock) {
		Register lowest = this.code.copy(Constant.ZERO);
		Register bit = this.code.copy(Constant.of(INDEX_BITS));
		Register hasFailed = this.code.compare(Comparison.NE, this.failedCode, Constant.ZERO);
		Label next = new Label();
		Label found = new Label();
		this.code.add(new Instruction.Mark(next));
		this.code.add(new Instruction.Binary(Operator.SUB, bit, bit, Constant.of(1)));
		this.code.add(new Instruction.Branch(this.code.compare(Comparison.LT, bit, Constant.ZERO), true, found));
		Register mine = this.code.compare(Comparison.EQ, this.code.binary(Operator.USHR, this.failedIndex, bit),
				this.code.binary(Operator.USHR, lowest, bit));
		Register candidate = this.code.binary(Operator.AND, mine, hasFailed);
		Register isClear = this.translation.worker.any(this.code, candidate);
		Register one = this.code.select(isClear, Constant.ZERO, Constant.of(1));
		this.code.add(new Instruction.Binary(Operator.OR, lowest, lowest, this.code.binary(Operator.SHL, one, bit)));
		this.code.add(new Instruction.Jump(next));
		this.code.add(new Instruction.Mark(found));
		Label end = new Label();
		Register isLowest = this.code.compare(Comparison.EQ, this.failedIndex, lowest);
		this.code.add(new Instruction.Branch(isLowest, false, end));
		fail(this.failedCode);
		this.code.add(new Instruction.Mark(end));
		end(lock);
	}

	/**
	 * A lock that is held.
	 *
	 * @param lock its address
	 * @param release what is added to release it
	 */
	record Held(Register lock, int release) {
	}

	/** Something that is thrown, whatever its message. */
	private record Thrown(FailurePoint failure, @Nullable Lane work, @Nullable Held held) {
	}

	/** Where code goes that fails: what is done differs with the part that it is in. */
	private record Exit(int code, @Nullable Lane work, @Nullable Held held) {
	}

}
