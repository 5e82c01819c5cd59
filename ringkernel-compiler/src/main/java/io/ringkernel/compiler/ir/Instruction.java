package io.ringkernel.compiler.ir;

import java.util.List;

import org.jspecify.annotations.Nullable;

/**
 * A step of the code. All threads of a worker run the same code; a store with a guard is
 * made by those for which the guard holds.
 *
 * @since 0.2.0
 */
public sealed interface Instruction {

	/** An instruction of straight code that writes a register. */
	sealed interface Writing extends Instruction {

		/**
		 * The register that it writes.
		 * @return the register
		 */
		Register to();

	}

	/**
	 * Copies a value.
	 *
	 * @param to where to
	 * @param from what
	 */
	record Move(Register to, Operand from) implements Writing {
	}

	/**
	 * Computes from two operands.
	 *
	 * @param operator how
	 * @param to where the result goes
	 * @param left the first operand
	 * @param right the second operand
	 */
	record Binary(Operator operator, Register to, Operand left, Operand right) implements Writing {
	}

	/**
	 * Computes from one operand.
	 *
	 * @param operator how
	 * @param to where the result goes
	 * @param from the operand
	 */
	record Unary(Operator operator, Register to, Operand from) implements Writing {
	}

	/**
	 * Multiplies, adds and rounds once.
	 *
	 * @param to where the result goes
	 * @param left a factor
	 * @param right a factor
	 * @param addend what is added
	 */
	record FusedMultiplyAdd(Register to, Operand left, Operand right, Operand addend) implements Writing {
	}

	/**
	 * Converts a value.
	 *
	 * @param conversion how
	 * @param to where the result goes
	 * @param from the value
	 */
	record Convert(Conversion conversion, Register to, Operand from) implements Writing {
	}

	/**
	 * Compares two values.
	 *
	 * @param comparison how
	 * @param unordered whether the comparison holds if either is no number
	 * @param to the predicate
	 * @param left the first value
	 * @param right the second value
	 */
	record Compare(Comparison comparison, boolean unordered, Register to, Operand left,
			Operand right) implements Writing {
	}

	/**
	 * Chooses one of two values.
	 *
	 * @param to where the choice goes
	 * @param predicate decides
	 * @param yes what is chosen if it holds
	 * @param no what is chosen if not
	 */
	record Select(Register to, Register predicate, Operand yes, Operand no) implements Writing {
	}

	/**
	 * Loads a value.
	 *
	 * @param as what it is in memory
	 * @param to where it goes
	 * @param base an address
	 * @param offset the distance from there, in bytes
	 * @param shared whether the memory may be written by the handler
	 */
	record Load(MemoryType as, Register to, Register base, int offset, boolean shared) implements Writing {
	}

	/**
	 * Stores a value.
	 *
	 * @param as what it becomes in memory
	 * @param base an address
	 * @param offset the distance from there, in bytes
	 * @param value the value
	 * @param shared whether the memory may be read by the handler
	 * @param guard which threads store; all if {@code null}
	 */
	record Store(MemoryType as, Register base, int offset, Operand value, boolean shared,
			@Nullable Register guard) implements Instruction {
	}

	/**
	 * Changes a word of memory at once, whatever other threads do with it.
	 *
	 * @param operation how
	 * @param as what the word is: an {@code int} or a {@code long}
	 * @param to where the value before goes
	 * @param base the address
	 * @param operand the operand
	 * @param replacement what replaces the operand; {@code null} unless it is compared
	 * @param global whether the word is known to lie in device memory
	 * @param guard which threads do so; all if {@code null}
	 */
	record Atomic(AtomicOperation operation, MemoryType as, Register to, Register base, Operand operand,
			@Nullable Operand replacement, boolean global, @Nullable Register guard) implements Writing {
	}

	/**
	 * Is where a label is.
	 *
	 * @param label the label
	 */
	record Mark(Label label) implements Instruction {
	}

	/**
	 * Goes on elsewhere.
	 *
	 * @param to where
	 */
	record Jump(Label to) implements Instruction {
	}

	/**
	 * Goes on elsewhere if a predicate is as stated.
	 *
	 * @param predicate decides
	 * @param when the value with which the branch is taken
	 * @param to where
	 */
	record Branch(Register predicate, boolean when, Label to) implements Instruction {
	}

	/**
	 * Waits for all threads of the worker. What they have written before, all see after.
	 *
	 * @param worker the worker
	 */
	record Sync(WorkerCall worker) implements Instruction {
	}

	/**
	 * Waits for all threads of the worker, and tells them whether a predicate holds for
	 * any.
	 *
	 * @param any whether it does
	 * @param predicate that of this thread
	 * @param worker the worker
	 */
	record Vote(Register any, Register predicate, WorkerCall worker) implements Instruction {
	}

	/**
	 * Sets memory to zero, by all threads of the worker.
	 *
	 * @param base an address, a multiple of 16
	 * @param bytes how many bytes; up to the next multiple of 16 are set
	 * @param worker the worker
	 */
	record Clear(Register base, Operand bytes, WorkerCall worker) implements Instruction {
	}

	/**
	 * Takes the value that a later lane of the warp has; called by all of its lanes.
	 *
	 * @param to where it goes
	 * @param from what this lane hands on
	 * @param distance to the other lane; beyond the last lane, the value is one's own
	 */
	record Shuffle(Register to, Operand from, int distance) implements Instruction {
	}

	/**
	 * Calls a function, each thread for itself.
	 *
	 * @param function the name of the function
	 * @param to where the result goes
	 * @param arguments what it computes from
	 */
	record Call(String function, Register to, List<Operand> arguments) implements Writing {
	}

	/**
	 * Begins or ends a part that the threads go through each with work of its own.
	 *
	 * @param begins whether it begins
	 */
	record Parallel(boolean begins) implements Instruction {
	}

	/**
	 * Says where the code that follows comes from.
	 *
	 * @param text class, method and line
	 */
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
