package io.ringkernel.test.ptx.text;

import java.util.List;

/**
 * A function or a kernel.
 *
 * @param name its name
 * @param entry whether it is a kernel
 * @param line the line it begins in, from 1
 * @param results what it returns
 * @param parameters what it takes
 * @param locals its variables in local memory
 * @param body its statements; labels point at their numbers
 * @since 0.2.0
 */
public record PtxFunction(String name, boolean entry, int line, List<Variable> results, List<Variable> parameters,
		List<Variable> locals, List<Statement> body) {
}
