package com.example;

import java.util.concurrent.atomic.AtomicReference;

import io.ringkernel.RingKernelClient;
import io.ringkernel.spring.boot.test.autoconfigure.RingKernelTest;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Autowired;

import static org.assertj.core.api.Assertions.assertThat;

@RingKernelTest(Saxpy.class)
class SaxpyInPlaceTests {

	@Autowired
	private RingKernelClient<SaxpyRequest, SaxpyResponse> saxpy;

	@Test
	void writesAndReadsWhereTheMessagesLie() {
		AtomicReference<Float> last = new AtomicReference<>();
		new SaxpyInPlace(this.saxpy).saxpy(2, 4096, (i) -> i, (values) -> last.set(values.getFloat(4095, 0)));
		assertThat(last).hasValue(8191f);
	}

}
