package io.ringkernel.compiler.ir;

/**
 * What an instruction takes: a register or a constant.
 *
 * @since 0.2.0
 */
public sealed interface Operand permits Register, Constant {

	RegisterType type();

}
