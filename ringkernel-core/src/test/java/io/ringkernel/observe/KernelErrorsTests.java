package io.ringkernel.observe;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class KernelErrorsTests {

	@Test
	void onlyTheLatestErrorsAreKept() {
		KernelErrors errors = new KernelErrors();
		for (int i = 0; i < 50; i++) {
			errors.add((i % 2 == 0) ? new IllegalStateException("s" + i) : new IllegalArgumentException("a" + i));
		}
		assertThat(errors.latestFirst()).hasSize(16).first().extracting(KernelError::message).isEqualTo("a49");
		assertThat(errors.latestFirst()).last().extracting(KernelError::message).isEqualTo("s34");
	}

	@Test
	void longMessageIsCut() {
		KernelErrors errors = new KernelErrors();
		errors.add(new IllegalStateException("x".repeat(50_000)));
		assertThat(errors.latestFirst()).first().extracting(KernelError::message).isEqualTo("x".repeat(500) + "…");
	}

}
