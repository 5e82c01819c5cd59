package io.ringkernel;

import java.util.Objects;

/**
 * Two handlers, one behind the other, as one. A pipeline of more is one of pipelines.
 */
final class Pipeline<I extends Record, M extends Record, O extends Record> implements RingKernelHandler<I, O> {

	private final RingKernelHandler<I, M> first;

	private final RingKernelHandler<M, O> next;

	Pipeline(RingKernelHandler<I, M> first, RingKernelHandler<M, O> next) {
		this.first = Objects.requireNonNull(first, "first");
		this.next = Objects.requireNonNull(next, "next");
	}

	@Override
	public O handle(I request) throws Exception {
		return this.next.handle(Objects.requireNonNull(this.first.handle(request),
				"The handler of a stage of the pipeline returned null"));
	}

}
