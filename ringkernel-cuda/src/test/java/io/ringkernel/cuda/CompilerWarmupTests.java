package io.ringkernel.cuda;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link CompilerWarmup}.
 */
class CompilerWarmupTests {

	@Test
	void theHandlerIsOneThatADeviceRuns() {
		assertThat(CompilerWarmup.compile().location()).startsWith(CompilerWarmup.class.getName());
	}

}
