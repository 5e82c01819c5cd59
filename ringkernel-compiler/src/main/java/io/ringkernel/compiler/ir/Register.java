package io.ringkernel.compiler.ir;

/**
 * A register of a thread.
 *
 * @param number tells registers of the same type apart
 * @param type what it holds
 */
public record Register(int number, Type type) implements Operand {
}
