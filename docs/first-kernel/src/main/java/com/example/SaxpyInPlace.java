package com.example;

import java.util.function.Consumer;
import java.util.function.IntUnaryOperator;

import io.ringkernel.Frame;
import io.ringkernel.InPlaceCalls;
import io.ringkernel.RingKernelClient;
import io.ringkernel.message.MessageLayout;

class SaxpyInPlace {

	private static final int A = MessageLayout.of(SaxpyRequest.class).offset("a", float.class);

	private final InPlaceCalls calls;

	SaxpyInPlace(RingKernelClient<SaxpyRequest, SaxpyResponse> saxpy) {
		this.calls = saxpy.openInPlace();
	}

	void saxpy(float a, int count, IntUnaryOperator x, Consumer<Frame> reader) {
		this.calls.call((request) -> {
			request.fields().putFloat(0, A, a);
			Frame xs = request.array("x", count);
			for (int i = 0; i < count; i++) {
				xs.putFloat(i, 0, x.applyAsInt(i));
			}
			Frame ys = request.array("y", count);
			for (int i = 0; i < count; i++) {
				ys.putFloat(i, 0, 1);
			}
		}, (response) -> reader.accept(response.array("values")));
	}

}
