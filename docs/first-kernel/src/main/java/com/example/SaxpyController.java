package com.example;

import io.ringkernel.RingKernelClient;

import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RestController;

@RestController
class SaxpyController {

	private final RingKernelClient<SaxpyRequest, SaxpyResponse> saxpy;

	SaxpyController(RingKernelClient<SaxpyRequest, SaxpyResponse> saxpy) {
		this.saxpy = saxpy;
	}

	@PostMapping("/saxpy")
	SaxpyResponse saxpy(@RequestBody SaxpyRequest request) {
		return this.saxpy.call(request);
	}

}
