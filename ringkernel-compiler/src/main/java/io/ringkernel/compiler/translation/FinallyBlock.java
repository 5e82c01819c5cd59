package io.ringkernel.compiler.translation;

import io.ringkernel.compiler.ir.Label;
import io.ringkernel.compiler.ir.Register;
import org.jspecify.annotations.Nullable;

/**
 * What a method does if something is thrown: the copy of a {@code finally} block that
 * throws it again.
 *
 * @param label where it is
 * @param thrown the register that it finds the code of the failure in
 * @param work the work of the thread that it is part of; {@code null} outside of parallel
 * parts
 * @param held the lock that its method is called with
 * @param reach remembers what is known of the locals where something may be thrown
 * @since 0.2.0
 */
public record FinallyBlock(Label label, Register thrown, @Nullable Lane work, Failures.@Nullable Held held,
		Runnable reach) {
}
