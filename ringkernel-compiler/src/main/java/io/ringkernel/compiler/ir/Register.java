package io.ringkernel.compiler.ir;

/**
 * A register of a thread.
 *
 * @param number tells registers of the same type apart
 * @param type what it holds
 * @since 0.2.0
 */
public record Register(int number, RegisterType type) implements Operand {
}
