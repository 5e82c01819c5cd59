package io.ringkernel;

import io.ringkernel.exception.KernelNotActiveException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link KernelNotActiveException}.
 */
class KernelNotActiveExceptionTests {

	@ParameterizedTest
	@EnumSource
	void messageNamesTheKernelAndItsState(KernelState state) {
		KernelNotActiveException ex = new KernelNotActiveException("vector-add", state);
		assertThat(ex).hasMessageStartingWith("Ring kernel 'vector-add' takes no requests: it is %s, not ACTIVE. ",
				state);
		assertThat(ex.kernelId()).isEqualTo("vector-add");
		assertThat(ex.state()).isEqualTo(state);
	}

	@ParameterizedTest
	@CsvSource({ "CREATED, once all singleton beans exist", "LAUNCHED, wait until it is ACTIVE",
			"INACTIVE, Activate it.", "TERMINATING, the application shuts down",
			"TERMINATED, the application shuts down", "FAILED, Relaunch it." })
	void remedyFitsTheState(KernelState state, String remedy) {
		assertThat(new KernelNotActiveException("vector-add", state)).hasMessageContaining(remedy);
	}

	@Test
	void nobodyIsToldToRelaunchAKernelThatIsYetToStart() {
		assertThat(new KernelNotActiveException("vector-add", KernelState.CREATED).getMessage())
			.doesNotContain("Relaunch");
	}

}
