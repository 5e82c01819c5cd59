package io.ringkernel.backend;

import java.nio.file.Path;
import java.time.Duration;
import java.util.function.Consumer;

import io.ringkernel.exception.InvalidConfigurationException;
import io.ringkernel.ring.WaitStrategy;
import org.assertj.core.api.ThrowableAssertAlternative;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class KernelOptionsTests {

	private static final long TERABYTE = 1L << 40;

	@Test
	void aBuilderBeginsWithTheDefaults() {
		assertThat(KernelOptions.builder().build()).isEqualTo(KernelOptions.DEFAULTS);
	}

	@Test
	void aBuilderSetsEverySetting() {
		Snapshots snapshots = new Snapshots(Path.of("state"), Duration.ofSeconds(10), false);
		KernelOptions all = KernelOptions.builder()
			.workers(3)
			.threadsPerWorker(64)
			.ringMemory(1 << 20)
			.stateMemory(TERABYTE)
			.requestTimeout(Duration.ofSeconds(1))
			.backpressure(Backpressure.REJECT)
			.waitStrategy(WaitStrategy.YIELD)
			.idleBudget(Duration.ofMillis(2))
			.stopTimeout(Duration.ofSeconds(3))
			.drainTimeout(Duration.ZERO)
			.interruptOnTimeout(false)
			.device(3)
			.compile(Compile.REQUIRED)
			.replay(Replay.IDEMPOTENT)
			.snapshots(snapshots)
			.build();
		assertThat(all).isEqualTo(new KernelOptions(3, 64, 1 << 20, TERABYTE, Duration.ofSeconds(1),
				Backpressure.REJECT, WaitStrategy.YIELD, Duration.ofMillis(2), Duration.ofSeconds(3), Duration.ZERO,
				false, 3, Compile.REQUIRED, Replay.IDEMPOTENT, snapshots));
		assertThat(all.toBuilder().build()).isEqualTo(all);
	}

	@Test
	void aBuilderOfOptionsChangesWhatIsSetAndNothingElse() {
		KernelOptions changed = KernelOptions.DEFAULTS.toBuilder().workers(5).build();
		assertThat(changed.workers()).isEqualTo(5);
		assertThat(changed.toBuilder().workers(32).build()).isEqualTo(KernelOptions.DEFAULTS);
	}

	@Test
	void theStateOfAHandlerHasFromNoMemoryToATerabyte() {
		refused((builder) -> builder.stateMemory(TERABYTE + 1))
			.satisfies((ex) -> assertThat(ex.setting()).isEqualTo("state-memory"))
			.withMessage("state-memory = 1099511627777B is out of range. "
					+ "Set it to a size from 0B to 1TB; 0B stands for the default.");
		refused((builder) -> builder.stateMemory(-1));
	}

	@Test
	void aPartOfAWarpIsRefusedWithTheWholeWarpsBesideIt() {
		refused((builder) -> builder.threadsPerWorker(33)).withMessage("threads-per-worker = 33 is no multiple of 32. "
				+ "Set it to 32 or 64: a worker is made of whole warps.");
	}

	@Test
	void aDurationOutOfRangeIsRefusedAsUsersWriteItWithAnExampleOfItsOwn() {
		refused((builder) -> builder.idleBudget(Duration.ofNanos(-1000)))
			.withMessage("idle-budget = -1us is out of range. Set it to a duration from 0s to 365d, such as 200us.");
		refused((builder) -> builder.requestTimeout(Duration.ZERO))
			.withMessage("request-timeout = 0s is out of range. Set it to more than 0s and at most 365d, such as 5s.");
		refused((builder) -> builder.stopTimeout(Duration.ofDays(366)))
			.withMessageStartingWith("stop-timeout = 366d is out of range.");
	}

	private static ThrowableAssertAlternative<InvalidConfigurationException> refused(
			Consumer<KernelOptions.Builder> setting) {
		KernelOptions.Builder builder = KernelOptions.builder();
		setting.accept(builder);
		return assertThatExceptionOfType(InvalidConfigurationException.class).isThrownBy(builder::build);
	}

}
