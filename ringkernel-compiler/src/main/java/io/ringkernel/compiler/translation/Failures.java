package io.ringkernel.compiler.translation;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Supplier;

import io.ringkernel.backend.FailurePoint;
import io.ringkernel.compiler.ir.AtomicOperation;
import io.ringkernel.compiler.ir.Code;
import io.ringkernel.compiler.ir.Comparison;
import io.ringkernel.compiler.ir.Constant;
import io.ringkernel.compiler.ir.Instruction;
import io.ringkernel.compiler.ir.Label;
import io.ringkernel.compiler.ir.MemoryType;
import io.ringkernel.compiler.ir.Operand;
import io.ringkernel.compiler.ir.Operator;
import io.ringkernel.compiler.ir.Register;
import io.ringkernel.compiler.ir.RegisterType;
import io.ringkernel.compiler.value.Shape;
import io.ringkernel.compiler.value.Value;
import org.jspecify.annotations.Nullable;

/**
 * The exceptions that the code may throw, and what the device does then. Outside parallel
 * parts, all threads fail alike, and return. In a parallel part, a thread remembers what
 * it failed at; behind the part, where all meet, the failure of the lowest index is that
 * of the request, as in Java. What is done then lies behind the code of the handler.
 *
 * @since 0.2.0
 */
public final class Failures {

	private static final int BITS = 31;

	private final Translation translation;

	private final Code code;

	private final List<FailurePoint> known = new ArrayList<>();

	private final Map<Exit, Label> exits = new LinkedHashMap<>();

	/** What lies behind the code of the handler, and may add to itself. */
	private final Deque<Runnable> behind = new ArrayDeque<>();

	/** Where the request fails, and no block of a method goes on. */
	private final Set<Label> ends = new HashSet<>();

	/** What this thread has failed at. */
	private final Lane.Failed failed;

	/** Where threads go of which one has failed. */
	private final Map<Place, Label> settles = new LinkedHashMap<>();

	/** The lock of the body that is being translated. */
	private @Nullable Held held;

	Failures(Translation translation) {
		this.translation = translation;
		this.code = translation.code();
		this.failed = Lane.Failed.none(this.code);
	}

	/** All that may be thrown; code 1 is the first. */
	public List<FailurePoint> known() {
		return List.copyOf(this.known);
	}

	/** Throws if a predicate holds. */
	public void throwIf(Register predicate, String exception, @Nullable String message) {
		this.code.branch(predicate, true, exit(exception, message));
	}

	/** Throws if the length of an array is negative. */
	public void throwIfNegative(Operand length) {
		throwIf(this.code.compare(Comparison.LT, length, Constant.ZERO), "java.lang.NegativeArraySizeException", null);
	}

	/** What this thread has failed at in a part that all go through. */
	public Lane.Failed ofThread() {
		return this.failed;
	}

	/** Throws what a part that this thread goes through alone has failed at. */
	public void throwIf(Lane.Failed inPart) {
		Register hasFailed = this.code.compare(Comparison.NE, inPart.code(), Constant.ZERO);
		this.code.branch(hasFailed, true, exitAgain(inPart.code()));
	}

	/** Throws in any case. */
	public void raise(Value thrown) {
		if (thrown.shape() instanceof Shape.Thrown) {
			this.code.jump(exitAgain((Register) thrown.scalar()));
			return;
		}
		if (!(thrown.shape() instanceof Shape.Failing failing)) {
			throw this.translation.refuse("an exception is thrown that was not made there", "Write throw new.");
		}
		this.code.jump(
				failing.isChosen() ? choice(failing.type(), thrown.scalar()) : exit(failing.type(), failing.message()));
	}

	private Label exitAgain(Register thrown) {
		return exit(new Exit(thrown, here()));
	}

	private Label exit(String exception, @Nullable String message) {
		return exit(at(exception, message), here());
	}

	private FailurePoint at(String exception, @Nullable String message) {
		Translation.Site site = this.translation.site();
		return new FailurePoint(exception, message, site.method().className(), site.method().node().name, site.line());
	}

	private Place here() {
		return new Place(reached(), this.translation.work(), this.held);
	}

	/**
	 * The block that something is thrown to; {@code null} if it fails the request, or the
	 * work of the thread.
	 */
	private @Nullable FinallyBlock reached() {
		FinallyBlock block = this.translation.block();
		Lane work = this.translation.work();
		if (block != null && Objects.equals(block.work(), work)) {
			block.reach().run();
			return block;
		}
		if (work != null) {
			work.mayFail();
		}
		return null;
	}

	private Label exit(FailurePoint failure, Place from) {
		return this.exits.computeIfAbsent(new Exit(Constant.of(code(failure)), from), this::exit);
	}

	/**
	 * Where the address of a message tells which one it is. What is no constant is left
	 * out. All constants are known behind the code of the handler.
	 */
	private Label choice(String exception, Operand message) {
		FailurePoint unknown = at(exception, null);
		Place from = here();
		Label label = label(from);
		this.behind.add(() -> {
			this.code.mark(label);
			this.translation.constants().forEachText((text, address) -> {
				Register isOne = this.code.compare(Comparison.EQ, message, address);
				FailurePoint known = new FailurePoint(exception, text, unknown.className(), unknown.methodName(),
						unknown.line());
				this.code.branch(isOne, true, exit(known, from));
			});
			this.code.jump(exit(unknown, from));
		});
		return label;
	}

	/** Whether a request fails that comes to a label. */
	public boolean isExit(Label label) {
		return this.ends.contains(label);
	}

	private Label label(Place from) {
		Label label = new Label();
		if (from.block() == null) {
			this.ends.add(label);
		}
		return label;
	}

	private int code(FailurePoint failure) {
		if (!this.known.contains(failure)) {
			this.known.add(failure);
		}
		return this.known.indexOf(failure) + 1;
	}

	/** Releases the lock, and ends the handler. */
	private void end(@Nullable Held lock) {
		release(lock);
		this.code.add(this.translation.response().finish());
	}

	/** One thread releases it for all. */
	private void release(@Nullable Held lock) {
		if (lock != null) {
			Register before = this.code.register(RegisterType.INT);
			this.code.add(new Instruction.Atomic(AtomicOperation.ADD, MemoryType.INT, before, lock.lock(),
					Constant.of(lock.release()), null, true, this.translation.isFirst()));
			this.translation.agreed(MemoryType.INT, before);
		}
	}

	/** Goes on with a block, without the lock that was taken in what it guards. */
	private void enter(FinallyBlock block, Operand failed, @Nullable Held lock) {
		release(Objects.equals(lock, block.held()) ? null : lock);
		this.code.move(block.thrown(), failed);
		this.code.jump(block.label());
	}

	public @Nullable Held held() {
		return this.held;
	}

	/** Translates what is done with a lock, which is released then. */
	public <T extends @Nullable Object> T holding(Held lock, Supplier<T> body) {
		this.held = lock;
		T result;
		try {
			result = body.get();
		}
		finally {
			this.held = null;
		}
		release(lock);
		return result;
	}

	private Label exit(Exit exit) {
		Place from = exit.from();
		Label label = label(from);
		this.behind.add(() -> {
			this.code.mark(label);
			if (from.block() != null) {
				enter(from.block(), exit.failed(), from.held());
			}
			else if (from.work() != null) {
				remember(exit.failed(), from.work());
			}
			else {
				this.translation.worker().fail(this.code, exit.failed());
				end(from.held());
			}
		});
		return label;
	}

	/** A thread does not go through indices in ascending order in a reduction. */
	private void remember(Operand failed, Lane work) {
		Register isLower = this.code.compare(Comparison.BELOW, work.index(), work.failed().index());
		this.code.branch(isLower, false, work.meeting());
		this.code.move(work.failed().code(), failed);
		this.code.move(work.failed().index(), work.index());
		this.code.jump(work.meeting());
	}

	/** All threads meet behind a part in which some may have failed. */
	public void meet() {
		Label settle = this.settles.computeIfAbsent(here(), this::label);
		Register failed = this.code.compare(Comparison.NE, this.failed.code(), Constant.ZERO);
		this.code.branch(this.translation.worker().any(this.code, failed), true, settle);
	}

	/** Adds what lies behind the code of the handler. */
	public void finish() {
		while (!this.behind.isEmpty()) {
			this.behind.remove().run();
		}
		this.settles.forEach((at, settle) -> {
			this.code.mark(settle);
			settle(at);
		});
	}

	/** The failure of the lowest index is that of all threads. */
	private void settle(Place at) {
		Register hasFailed = this.code.compare(Comparison.NE, this.failed.code(), Constant.ZERO);
		Register isLowest = this.code.compare(Comparison.EQ, this.failed.index(),
				lowest(this.failed.index(), hasFailed));
		if (at.block() != null) {
			Register failed = lowest(this.failed.code(), this.code.binary(Operator.AND, isLowest, hasFailed));
			this.code.move(this.failed.code(), Constant.ZERO);
			this.code.move(this.failed.index(), Constant.of(-1));
			enter(at.block(), failed, at.held());
			return;
		}
		Label end = new Label();
		this.code.branch(isLowest, false, end);
		this.translation.worker().fail(this.code, this.failed.code());
		this.code.mark(end);
		end(at.held());
	}

	/**
	 * The threads agree bit by bit on the lowest of their numbers, none of which is
	 * negative.
	 * @param has which threads have one
	 */
	private Register lowest(Register number, Register has) {
		Register lowest = this.code.copy(Constant.ZERO);
		Register bit = this.code.copy(Constant.of(BITS));
		Label next = new Label();
		Label found = new Label();
		this.code.mark(next);
		this.code.add(new Instruction.Binary(Operator.SUB, bit, bit, Constant.of(1)));
		this.code.branch(Comparison.LT, bit, Constant.ZERO, found);
		Register mine = this.code.compare(Comparison.EQ, this.code.binary(Operator.USHR, number, bit),
				this.code.binary(Operator.USHR, lowest, bit));
		Register candidate = this.code.binary(Operator.AND, mine, has);
		Register isClear = this.translation.worker().any(this.code, candidate);
		Register one = this.code.select(isClear, Constant.ZERO, Constant.of(1));
		this.code.add(new Instruction.Binary(Operator.OR, lowest, lowest, this.code.binary(Operator.SHL, one, bit)));
		this.code.jump(next);
		this.code.mark(found);
		return lowest;
	}

	/** The address of a lock that is held, and what is added to release it. */
	public record Held(Register lock, int release) {
	}

	/** The part that code is in which fails: what is done differs with it. */
	private record Place(@Nullable FinallyBlock block, @Nullable Lane work, @Nullable Held held) {
	}

	/** Where code goes that fails. */
	private record Exit(Operand failed, Place from) {
	}

}
