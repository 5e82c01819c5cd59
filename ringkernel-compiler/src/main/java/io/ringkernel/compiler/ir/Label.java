package io.ringkernel.compiler.ir;

/**
 * A place in the code. Compared by identity.
 */
public final class Label {

	/** Creates a place. */
	public Label() {
	}

}
