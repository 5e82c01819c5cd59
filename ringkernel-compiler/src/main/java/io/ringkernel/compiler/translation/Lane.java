package io.ringkernel.compiler.translation;

import io.ringkernel.compiler.ir.Code;
import io.ringkernel.compiler.ir.Constant;
import io.ringkernel.compiler.ir.Label;
import io.ringkernel.compiler.ir.Operand;
import io.ringkernel.compiler.ir.Register;

/**
 * The work of one thread in a parallel part. If it fails, the thread remembers that and
 * goes on where all meet.
 *
 * @since 0.2.0
 */
public final class Lane {

	private final Operand index;

	private final Label meeting;

	private final Failed failed;

	private boolean fails;

	/** The work at an index: if it fails, it remembers that, and goes to the meeting. */
	public Lane(Operand index, Label meeting, Failed failed) {
		this.index = index;
		this.meeting = meeting;
		this.failed = failed;
	}

	Operand index() {
		return this.index;
	}

	Label meeting() {
		return this.meeting;
	}

	Failed failed() {
		return this.failed;
	}

	void mayFail() {
		this.fails = true;
	}

	/** Whether anything that was translated may fail. */
	public boolean fails() {
		return this.fails;
	}

	/** The failure of the lowest index; its code is 0 if there is none. */
	public record Failed(Register code, Register index) {

		public static Failed none(Code code) {
			return new Failed(code.copy(Constant.ZERO), code.copy(Constant.of(-1)));
		}

	}

}
