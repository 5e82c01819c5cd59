package io.ringkernel.compiler.bytecode;

import io.ringkernel.compiler.ir.Label;
import io.ringkernel.compiler.ir.Operand;

/**
 * The work of one thread in a parallel part. If it fails, the thread remembers that and
 * goes on where all meet.
 */
final class Lane {

	private final Operand index;

	private final Label meeting;

	private boolean fails;

	/**
	 * Creates the work.
	 * @param index the index that it is at
	 * @param meeting where it goes if it fails
	 */
	Lane(Operand index, Label meeting) {
		this.index = index;
		this.meeting = meeting;
	}

	Operand index() {
		return this.index;
	}

	Label meeting() {
		return this.meeting;
	}

	void mayFail() {
		this.fails = true;
	}

	/** Whether anything that was translated may fail. */
	boolean fails() {
		return this.fails;
	}

}
