package io.ringkernel.compiler.ir;

import java.util.List;

/**
 * A function of the device, which code calls by its name. It computes a number from
 * numbers, and touches no memory.
 *
 * @param name its name in the text
 * @param parameters the registers in which it finds its arguments
 * @param result what it returns
 * @param code what it does, which ends with a {@link Instruction.Return} of the result
 * @since 0.2.0
 */
public record Function(String name, List<Register> parameters, RegisterType result, Code code) {
}
