package io.ringkernel.compiler.bytecode;

import java.util.List;

import org.jspecify.annotations.Nullable;

/**
 * Runs the functions that a method of the JDK, or of {@code Parallel}, is called with.
 */
@FunctionalInterface
interface Lambdas {

	/**
	 * Runs a function.
	 * @return what it returns; {@code null} if nothing
	 */
	@Nullable Value run(Value function, List<Value> arguments);

}
