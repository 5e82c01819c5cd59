package com.example;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;

import io.ringkernel.spring.exchange.RingKernelExchange;

@RingKernelExchange("saxpy")
interface SaxpyCalls {

	SaxpyResponse saxpy(SaxpyRequest request);

	SaxpyResponse saxpy(SaxpyRequest request, Duration timeout);

	CompletableFuture<SaxpyResponse> later(SaxpyRequest request);

	List<SaxpyResponse> all(List<SaxpyRequest> requests);

	@RingKernelExchange(oneWay = true)
	void forget(SaxpyRequest request);

}
