package io.ringkernel.compiler.ir;

/**
 * A place in the code. Compared by identity.
 *
 * @since 0.2.0
 */
public final class Label {

}
