package io.ringkernel.test.ptx;

import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;

import io.ringkernel.Capacity;
import io.ringkernel.Parallel;
import io.ringkernel.RingKernelClient;
import io.ringkernel.RingKernelHandler;
import io.ringkernel.backend.KernelOptions;
import io.ringkernel.backend.KernelSpec;
import io.ringkernel.platform.BackendKind;
import io.ringkernel.platform.ExecutionMode;
import io.ringkernel.platform.PlanRequest;
import io.ringkernel.platform.Transport;
import io.ringkernel.runtime.Kernel;
import io.ringkernel.runtime.RingKernelRuntime;
import io.ringkernel.test.ptx.machine.Clock;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The warps of a worker touch nothing of each other's between barriers.
 */
class WorkerRaceTests {

	/** A response of so many travels inside its slot, and has several rows there. */
	private static final int FEW = 250;

	/** All warps handle a request of so many. */
	private static final int MANY = 8192;

	private static final KernelOptions OPTIONS = KernelOptions.builder()
		.workers(1)
		.threadsPerWorker(96)
		.ringMemory(1 << 20)
		.requestTimeout(Duration.ofSeconds(60))
		.build();

	private final PtxMachine machine = new PtxMachine(Clock.real(), true);

	private RingKernelRuntime runtime;

	private RingKernelClient<Numbers, Few> client;

	@BeforeEach
	void open() {
		this.runtime = RingKernelRuntime.open(
				new PlanRequest(BackendKind.CUDA, ExecutionMode.PERSISTENT, Transport.MAPPED),
				List.of(this.machine.provider()));
		Kernel<Numbers, Few> kernel = this.runtime
			.define(KernelSpec.of("first", Numbers.class, Few.class, new First(), OPTIONS));
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
	void aResponseIsReadByTheWarpThatClearsIt() {
		for (int i = 0; i < 4; i++) {
			assertThat(this.client.call(numbers(i)).values()).containsOnly(i).hasSize(FEW);
		}
	}

	@Test
	void anOrderIsReadByAllBeforeTheNext() {
		for (int i = 0; i < 4; i++) {
			CompletableFuture<Few> first = this.client.submit(numbers(i));
			assertThat(this.client.submit(numbers(i)).cancel(true)).isTrue();
			CompletableFuture<Few> last = this.client.submit(numbers(i));
			assertThat(first.join().values()).isEqualTo(last.join().values());
		}
	}

	private static Numbers numbers(int number) {
		int[] values = new int[MANY];
		Arrays.fill(values, number);
		return new Numbers(values);
	}

	public record Numbers(@Capacity(MANY) int[] values) {
	}

	public record Few(@Capacity(FEW) int[] values) {
	}

	static final class First implements RingKernelHandler<Numbers, Few> {

		@Override
		public Few handle(Numbers numbers) {
			int[] values = new int[FEW];
			Parallel.range(FEW, (i) -> values[i] = numbers.values()[i]);
			return new Few(values);
		}

	}

}
