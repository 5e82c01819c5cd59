package io.ringkernel.spring;

import java.util.List;
import java.util.function.Function;

import io.ringkernel.RingKernelClient;

/**
 * Makes functions of a client, for what finds functions among beans: Spring Cloud
 * Function, and Spring Cloud Stream, which connects them to topics.
 */
final class KernelFunctions {

	private KernelFunctions() {
	}

	/** A function that sends a request and waits for its response. */
	static <I extends Record, O extends Record> Function<I, O> single(RingKernelClient<I, O> client) {
		return client::call;
	}

	/**
	 * A function that sends a batch of requests, pipelined, and waits for all responses.
	 */
	static <I extends Record, O extends Record> Function<List<I>, List<O>> batch(RingKernelClient<I, O> client) {
		return client::callAll;
	}

}
