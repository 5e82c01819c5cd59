package com.example;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;

import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;

import static org.assertj.core.api.Assertions.assertThat;

@SpringBootTest(webEnvironment = SpringBootTest.WebEnvironment.NONE)
class SaxpyCallsTests {

	private static final SaxpyRequest REQUEST = new SaxpyRequest(2, new float[] { 1 }, new float[] { 10 });

	@Autowired
	private SaxpyCalls calls;

	@Test
	void everyMethodCallsTheKernel() throws Exception {
		assertThat(this.calls.saxpy(REQUEST).values()).containsExactly(12);
		assertThat(this.calls.saxpy(REQUEST, Duration.ofSeconds(30)).values()).containsExactly(12);
		assertThat(this.calls.later(REQUEST).get(30, TimeUnit.SECONDS).values()).containsExactly(12);
		assertThat(this.calls.all(List.of(REQUEST, REQUEST))).hasSize(2)
			.allSatisfy((response) -> assertThat(response.values()).containsExactly(12));
		this.calls.forget(REQUEST);
	}

}
