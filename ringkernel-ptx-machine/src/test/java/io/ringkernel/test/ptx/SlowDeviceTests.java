package io.ringkernel.test.ptx;

import java.time.Duration;
import java.util.List;

import io.ringkernel.RequestStream;
import io.ringkernel.RingKernelClient;
import io.ringkernel.RingKernelHandler;
import io.ringkernel.backend.KernelOptions;
import io.ringkernel.backend.KernelSpec;
import io.ringkernel.platform.BackendKind;
import io.ringkernel.platform.ExecutionMode;
import io.ringkernel.platform.PlanRequest;
import io.ringkernel.platform.Transport;
import io.ringkernel.ring.RingLayout;
import io.ringkernel.runtime.Kernel;
import io.ringkernel.runtime.RingKernelRuntime;
import io.ringkernel.test.ptx.machine.Clock;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A device on which each launch has used up its idle budget by its first look at the
 * ring, so that it takes no second one.
 */
class SlowDeviceTests {

	private static final KernelOptions OPTIONS = KernelOptions.builder()
		.workers(1)
		.ringMemory(RingLayout.totalBytes(4, Integer.BYTES, Integer.BYTES))
		.requestTimeout(Duration.ofSeconds(10))
		.build();

	private final PtxMachine machine = new PtxMachine(new SlowDevicesClock());

	@AfterEach
	void close() {
		this.machine.close();
		assertThat(this.machine.faults()).isEmpty();
	}

	@Test
	void aLaunchPassesOverAPositionThatTheLaunchBeforeHasLookedAt() {
		try (RingKernelRuntime runtime = RingKernelRuntime.open(
				new PlanRequest(BackendKind.CUDA, ExecutionMode.EVENT_DRIVEN, Transport.MAPPED),
				List.of(this.machine.provider()))) {
			Kernel<Number, Number> kernel = runtime
				.define(KernelSpec.of("twice", Number.class, Number.class, new Twice(), OPTIONS));
			kernel.launch();
			kernel.activate();
			RingKernelClient<Number, Number> client = kernel.client();
			try (RequestStream<Number, Number> stream = client.openStream()) {
				// Its response keeps a slot, which each lap of the others passes over.
				stream.send(new Number(1));
				for (int i = 2; i < 12; i++) {
					assertThat(client.call(new Number(i))).isEqualTo(new Number(2 * i));
				}
				assertThat(stream.receive()).isEqualTo(new Number(2));
			}
		}
	}

	public record Number(int value) {
	}

	static final class Twice implements RingKernelHandler<Number, Number> {

		@Override
		public Number handle(Number number) {
			return new Number(2 * number.value());
		}

	}

	/** A nanosecond of the host is ten microseconds on the device. */
	private static final class SlowDevicesClock implements Clock {

		private final Clock host = Clock.real();

		@Override
		public long nanos() {
			return this.host.nanos() * 10_000;
		}

		@Override
		public void rest(long nanos) {
			this.host.rest(nanos / 10_000);
		}

	}

}
