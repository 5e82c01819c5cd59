package io.ringkernel.compiler.parallel;

import java.util.List;

import io.ringkernel.compiler.value.Value;
import org.jspecify.annotations.Nullable;

/**
 * Runs the functions that a method of the JDK, or of {@code Parallel}, is called with.
 *
 * @since 0.2.0
 */
@FunctionalInterface
public interface Lambdas {

	/** Runs a function: what it returns; {@code null} if nothing. */
	@Nullable Value run(Value function, List<Value> arguments);

}
