package io.ringkernel.compiler.ir;

import java.util.List;

import org.jspecify.annotations.Nullable;

/**
 * A step of the code. All threads of a worker run the same code; a store with a guard is
 * made by those for which the guard holds. Offsets are distances in bytes.
 *
 * @since 0.2.0
 */
public sealed interface Instruction {

	/** An instruction of straight code that writes a register. */
	sealed interface Writing extends Instruction {

		Register to();

	}

	/** An instruction that leads to memory by an address. */
	sealed interface Access extends Instruction {

		Register base();

	}

	record Move(Register to, Operand from) implements Writing {
	}

	record Binary(Operator operator, Register to, Operand left, Operand right) implements Writing {
	}

	record Unary(Operator operator, Register to, Operand from) implements Writing {
	}

	/** Multiplies, adds and rounds once. */
	record FusedMultiplyAdd(Register to, Operand left, Operand right, Operand addend) implements Writing {
	}

	record Convert(Conversion conversion, Register to, Operand from) implements Writing {
	}

	/**
	 * Compares two values.
	 *
	 * @param unordered whether the comparison holds if either is no number
	 */
	record Compare(Comparison comparison, boolean unordered, Register to, Operand left,
			Operand right) implements Writing {
	}

	/** Chooses one of two values: the first if the predicate holds. */
	record Select(Register to, Register predicate, Operand yes, Operand no) implements Writing {
	}

	/**
	 * Loads a value.
	 *
	 * @param shared whether the memory may be written by the handler
	 */
	record Load(MemoryType as, Register to, Register base, int offset, boolean shared) implements Writing, Access {
	}

	/**
	 * Stores a value.
	 *
	 * @param shared whether the memory may be read by the handler
	 * @param guard which threads store; all if {@code null}
	 */
	record Store(MemoryType as, Register base, int offset, Operand value, boolean shared,
			@Nullable Register guard) implements Access {
	}

	/**
	 * Changes a word of memory at once, whatever other threads do with it.
	 *
	 * @param as what the word is: an {@code int} or a {@code long}
	 * @param to where the value before goes
	 * @param replacement what replaces the operand; {@code null} unless it is compared
	 * @param global whether the word is known to lie in device memory
	 * @param guard which threads do so; all if {@code null}
	 */
	record Atomic(AtomicOperation operation, MemoryType as, Register to, Register base, Operand operand,
			@Nullable Operand replacement, boolean global, @Nullable Register guard) implements Writing, Access {
	}

	record Mark(Label label) implements Instruction {
	}

	record Jump(Label to) implements Instruction {
	}

	/** Goes on elsewhere if a predicate is as stated. */
	record Branch(Register predicate, boolean when, Label to) implements Instruction {
	}

	/** Waits for all threads of the worker, and sees what they have written before. */
	record Sync(WorkerCall worker) implements Instruction {
	}

	/**
	 * Waits for all threads of the worker, and tells whether a predicate holds in any.
	 */
	record Vote(Register any, Register predicate, WorkerCall worker) implements Instruction {
	}

	/**
	 * Sets memory to zero, by all threads of the worker.
	 *
	 * @param base an address, a multiple of 16
	 * @param bytes how many bytes; up to the next multiple of 16 are set
	 */
	record Clear(Register base, Operand bytes, WorkerCall worker) implements Access {
	}

	/**
	 * Takes the value that a later lane of the warp has; called by all of its lanes.
	 *
	 * @param distance to the other lane; beyond the last lane, the value is one's own
	 */
	record Shuffle(Register to, Operand from, int distance) implements Instruction {
	}

	/** Calls a function, each thread for itself. */
	record Call(String function, Register to, List<Operand> arguments) implements Writing {
	}

	/** Begins or ends a part that the threads go through each with work of its own. */
	record Parallel(boolean begins) implements Instruction {
	}

	/** Says from which class, method and line the code comes that follows. */
	record Source(String text) implements Instruction {
	}

	/**
	 * Ends the handler, or a function, for this thread.
	 *
	 * @param values what the worker is told, which is {@code ringkernel::Handled}, each
	 * an {@code int}; or what the function returns
	 */
	record Return(List<Operand> values) implements Instruction {
	}

}
