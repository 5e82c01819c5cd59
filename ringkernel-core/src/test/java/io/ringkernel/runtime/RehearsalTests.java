package io.ringkernel.runtime;

import io.ringkernel.KernelLaunchException;
import io.ringkernel.cpu.CpuBackendProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

@Timeout(60)
class RehearsalTests {

	private final FaultyProvider provider = new FaultyProvider();

	@Test
	void aKernelIsLaunchedAndNothingIsLeftOfIt() {
		Rehearsal.on(this.provider);
		assertThat(this.provider.latestMemory).isNotNull();
		assertThat(this.provider.openMemories).hasValue(0);
		await().untilAsserted(() -> assertThat(Thread.getAllStackTraces().keySet()).extracting(Thread::getName)
			.noneMatch((name) -> name.startsWith("ringkernel-rehearsal")));
	}

	@Test
	void aFailureIsNoneForWhatComesAfterwards() {
		this.provider.loadFailure = new KernelLaunchException("rehearsal", "it is broken.", null);
		Rehearsal.on(this.provider);
		assertThat(this.provider.openMemories).hasValue(0);
	}

	@Test
	void anInterruptIsKept() {
		Thread.currentThread().interrupt();
		Rehearsal.on(new CpuBackendProvider());
		assertThat(Thread.interrupted()).isTrue();
	}

}
