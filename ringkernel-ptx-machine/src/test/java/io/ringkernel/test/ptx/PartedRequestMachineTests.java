package io.ringkernel.test.ptx;

import java.time.Duration;
import java.util.List;

import io.ringkernel.Capacity;
import io.ringkernel.Parallel;
import io.ringkernel.RingKernelClient;
import io.ringkernel.RingKernelHandler;
import io.ringkernel.backend.KernelOptions;
import io.ringkernel.backend.KernelSpec;
import io.ringkernel.platform.BackendKind;
import io.ringkernel.platform.PlanRequest;
import io.ringkernel.runtime.Kernel;
import io.ringkernel.runtime.RingKernelRuntime;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Arrays that the host publishes in parts arrive at a device as they were sent.
 */
class PartedRequestMachineTests {

	/** The smallest array that is published in parts. */
	private static final int LEAST = (128 << 10) / Integer.BYTES;

	private static final KernelOptions OPTIONS = KernelOptions.builder()
		.workers(1)
		.ringMemory(4 << 20)
		.requestTimeout(Duration.ofSeconds(60))
		.build();

	private final PtxMachine machine = new PtxMachine();

	private RingKernelRuntime runtime;

	private RingKernelClient<Pair, Check> client;

	@BeforeEach
	void open() {
		this.runtime = RingKernelRuntime.open(new PlanRequest(BackendKind.CUDA, null, null),
				List.of(this.machine.provider()));
		Kernel<Pair, Check> kernel = this.runtime
			.define(KernelSpec.of("check", Pair.class, Check.class, new Checking(), OPTIONS));
		kernel.launch();
		kernel.activate();
		this.client = kernel.client();
	}

	@AfterEach
	void close() {
		this.runtime.close();
		this.machine.close();
		assertThat(this.machine.faults()).isEmpty();
	}

	@Test
	void requestsOfEachSizeArriveAsTheyWereSentOnEachLap() {
		for (int lap = 0; lap < 3; lap++) {
			for (int size : new int[] { 1, LEAST - 1, LEAST, LEAST + 1, 2 * LEAST + 3 }) {
				Pair pair = new Pair(values(size, lap), values(2 * LEAST + 3 - size / 2, ~lap));
				assertThat(this.client.call(pair)).isEqualTo(Checking.check(pair));
			}
		}
	}

	private static int[] values(int count, int seed) {
		int[] values = new int[count];
		for (int i = 0; i < count; i++) {
			values[i] = (i + seed) * 0x9e3779b9;
		}
		return values;
	}

	public record Pair(@Capacity(2 * LEAST + 3) int[] first, @Capacity(2 * LEAST + 3) int[] second) {
	}

	public record Check(long first, long second) {
	}

	static final class Checking implements RingKernelHandler<Pair, Check> {

		@Override
		public Check handle(Pair pair) {
			return check(pair);
		}

		static Check check(Pair pair) {
			long first = Parallel.sumLong(pair.first().length, (i) -> (long) pair.first()[i] * (i + 1));
			long second = Parallel.sumLong(pair.second().length, (i) -> (long) pair.second()[i] * (i + 1));
			return new Check(first, second);
		}

	}

}
