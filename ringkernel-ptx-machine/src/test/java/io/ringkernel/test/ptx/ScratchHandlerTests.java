package io.ringkernel.test.ptx;

import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;

import io.ringkernel.Capacity;
import io.ringkernel.Parallel;
import io.ringkernel.RingKernelHandler;
import io.ringkernel.backend.KernelOptions;
import io.ringkernel.backend.KernelSpec;
import io.ringkernel.platform.BackendKind;
import io.ringkernel.platform.PlanRequest;
import io.ringkernel.runtime.RingKernelRuntime;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Workers that handle requests at the same time have arrays of their own, beside messages
 * that lie in shared or in device memory.
 */
@Tag("every-platform")
class ScratchHandlerTests {

	private static final KernelOptions OPTIONS = KernelOptions.builder()
		.workers(3)
		.requestTimeout(Duration.ofSeconds(60))
		.build();

	@ParameterizedTest
	@ValueSource(ints = { 1, 40, 900 })
	void noWorkerSeesTheArraysOfAnother(int length) {
		Sorted handler = new Sorted();
		List<Numbers> requests = IntStream.range(0, 12).mapToObj((i) -> numbers(length, i)).toList();
		try (PtxMachine machine = new PtxMachine()) {
			try (RingKernelRuntime runtime = RingKernelRuntime.open(new PlanRequest(BackendKind.CUDA, null, null),
					List.of(machine.provider()))) {
				var kernel = runtime.define(KernelSpec.of("sorted", Numbers.class, Numbers.class, handler, OPTIONS));
				kernel.launch();
				kernel.activate();
				List<Numbers> responses = kernel.client().callAll(requests);
				for (int i = 0; i < requests.size(); i++) {
					assertThat(responses.get(i).values()).isEqualTo(handler.handle(requests.get(i)).values());
				}
			}
			assertThat(machine.faults()).isEmpty();
		}
	}

	private static Numbers numbers(int length, int seed) {
		return new Numbers(IntStream.range(0, length).map((i) -> (i * 7919 + seed * 104729) % 1009).toArray());
	}

	record Numbers(@Capacity(1024) int[] values) {
	}

	/** Sorts by the rank of each number, and looks at numbers by their ranks. */
	static final class Sorted implements RingKernelHandler<Numbers, Numbers> {

		@Override
		public Numbers handle(Numbers request) {
			int[] values = request.values();
			int[] places = new int[values.length];
			Parallel.range(values.length, (i) -> places[rank(values, i)] = i);
			int[] sorted = new int[values.length];
			Parallel.range(sorted.length, (i) -> sorted[i] = values[places[i]]);
			return new Numbers(sorted);
		}

		private static int rank(int[] values, int of) {
			int rank = 0;
			for (int i = 0; i < values.length; i++) {
				rank += (values[i] < values[of] || (values[i] == values[of] && i < of)) ? 1 : 0;
			}
			return rank;
		}

	}

}
