package io.ringkernel.compiler.ir;

import java.util.List;

import org.jspecify.annotations.Nullable;

/**
 * What a handler may ask of its worker. The counterpart is {@code ringkernel/call.cuh}.
 *
 * @since 0.2.0
 */
public enum WorkerFunction {

	/** The number of this thread in its worker. */
	LANE("ringkernel_lane", Type.INT, Type.ADDRESS),
	/** How many threads the worker has. */
	LANES("ringkernel_lanes", Type.INT, Type.ADDRESS),
	/** A barrier of the worker. */
	SYNC("ringkernel_sync", null, Type.ADDRESS),
	/** A barrier that tells whether any thread came with other than 0. */
	ANY("ringkernel_any", Type.INT, Type.ADDRESS, Type.INT),
	/** Memory that the threads exchange values in. */
	EXCHANGE("ringkernel_exchange", Type.ADDRESS, Type.ADDRESS),
	/** The state of the handler, in device memory. */
	STATE("ringkernel_state", Type.ADDRESS, Type.ADDRESS),
	/** Memory of the worker that the handler has for one request. */
	SCRATCH("ringkernel_scratch", Type.ADDRESS, Type.ADDRESS),
	/** Fails the request with a code. */
	FAIL("ringkernel_fail", null, Type.ADDRESS, Type.INT),
	/** Gives an array of the response its length: a barrier. */
	RESIZE("ringkernel_resize", Type.ADDRESS, Type.ADDRESS, Type.ADDRESS, Type.INT, Type.INT, Type.INT);

	private final String symbol;

	private final @Nullable Type result;

	@SuppressWarnings("ImmutableEnumChecker")
	private final List<Type> parameters;

	WorkerFunction(String symbol, @Nullable Type result, Type... parameters) {
		this.symbol = symbol;
		this.result = result;
		this.parameters = List.of(parameters);
	}

	/**
	 * Its name.
	 * @return the symbol that the worker defines
	 */
	public String symbol() {
		return this.symbol;
	}

	/**
	 * What it returns.
	 * @return the type; {@code null} if nothing
	 */
	public @Nullable Type result() {
		return this.result;
	}

	/**
	 * What it takes.
	 * @return the types
	 */
	public List<Type> parameters() {
		return this.parameters;
	}

	/**
	 * Whether all threads of the worker have seen what all have written before, once it
	 * returns.
	 * @return whether they have
	 */
	public boolean isBarrier() {
		return this == SYNC || this == ANY || this == RESIZE;
	}

}
