package io.ringkernel;

import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

@Timeout(10)
class KernelStateTests {

	@ParameterizedTest
	@CsvSource({ "CREATED, LAUNCHED TERMINATED FAILED", "LAUNCHED, ACTIVE TERMINATING FAILED",
			"ACTIVE, INACTIVE TERMINATING FAILED", "INACTIVE, ACTIVE TERMINATING FAILED",
			"TERMINATING, TERMINATED FAILED", "TERMINATED, LAUNCHED FAILED",
			"FAILED, LAUNCHED TERMINATING TERMINATED" })
	void onlyTheMovesThatAreDrawnAreLegal(KernelState from, String successors) {
		for (KernelState to : KernelState.values()) {
			assertThat(from.canMoveTo(to)).as("%s to %s", from, to)
				.isEqualTo((" " + successors + " ").contains(" " + to + " "));
		}
	}

}
