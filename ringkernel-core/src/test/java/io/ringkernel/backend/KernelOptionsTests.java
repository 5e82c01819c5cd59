package io.ringkernel.backend;

import io.ringkernel.InvalidConfigurationException;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class KernelOptionsTests {

	private static final long TERABYTE = 1L << 40;

	@Test
	void aCopyDiffersInOneSetting() {
		KernelOptions changed = KernelOptions.DEFAULTS.withStateMemory(TERABYTE);
		assertThat(changed.stateMemory()).isEqualTo(TERABYTE);
		assertThat(changed.withStateMemory(0)).isEqualTo(KernelOptions.DEFAULTS);
		changed = KernelOptions.DEFAULTS.withThreadsPerWorker(512);
		assertThat(changed.threadsPerWorker()).isEqualTo(512);
		assertThat(changed.withThreadsPerWorker(32)).isEqualTo(KernelOptions.DEFAULTS);
	}

	@Test
	void theStateOfAHandlerHasFromNoMemoryToATerabyte() {
		assertThatExceptionOfType(InvalidConfigurationException.class)
			.isThrownBy(() -> KernelOptions.DEFAULTS.withStateMemory(TERABYTE + 1))
			.satisfies((ex) -> assertThat(ex.setting()).isEqualTo("state-memory"))
			.withMessageContaining("from 0 to 1099511627776");
		assertThatExceptionOfType(InvalidConfigurationException.class)
			.isThrownBy(() -> KernelOptions.DEFAULTS.withStateMemory(-1));
	}

}
