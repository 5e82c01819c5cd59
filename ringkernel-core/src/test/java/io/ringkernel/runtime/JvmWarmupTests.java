package io.ringkernel.runtime;

import io.ringkernel.cpu.CpuBackendProvider;
import io.ringkernel.exception.KernelLaunchException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

@Timeout(60)
class JvmWarmupTests {

	private final FaultyProvider provider = new FaultyProvider();

	@Test
	void aKernelIsLaunchedAndNothingIsLeftOfIt() {
		JvmWarmup.on(this.provider);
		assertThat(this.provider.latestMemory).isNotNull();
		assertThat(this.provider.openMemories).hasValue(0);
		await().untilAsserted(() -> assertThat(Thread.getAllStackTraces().keySet()).extracting(Thread::getName)
			.noneMatch((name) -> name.startsWith("ringkernel-jvm-warmup")));
	}

	@Test
	void aFailureIsNoneForWhatComesAfterwards() {
		this.provider.loadFailure = new KernelLaunchException("jvm-warmup", "it is broken.", null);
		JvmWarmup.on(this.provider);
		assertThat(this.provider.openMemories).hasValue(0);
	}

	@Test
	void anInterruptIsKept() {
		Thread.currentThread().interrupt();
		JvmWarmup.on(new CpuBackendProvider());
		assertThat(Thread.interrupted()).isTrue();
	}

}
