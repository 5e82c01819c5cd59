package io.ringkernel.benchmarks;

import java.util.concurrent.TimeUnit;

import io.ringkernel.message.MessageLayout;
import io.ringkernel.message.buffer.MessageBuffer;
import io.ringkernel.ring.DeviceRing;
import io.ringkernel.ring.Draft;
import io.ringkernel.ring.HostRing;
import io.ringkernel.ring.RingLayout;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/** A round trip of 64 bytes with both halves of the ring on one thread. */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(2)
@Warmup(iterations = 2, time = 500, timeUnit = TimeUnit.MILLISECONDS)
@Measurement(iterations = 3, time = 500, timeUnit = TimeUnit.MILLISECONDS)
public class RingBenchmark {

	/**
	 * A request and a response, encoded, moved and decoded: two records are allocated.
	 */
	@Benchmark
	public Payload roundTrip(RingState state) {
		Payload message = state.payload;
		long position = state.publish(message);
		Payload request = state.device.request(position, 0, state.messages);
		state.device.answer(position, 0, request, state.messages);
		Payload response = state.host.responses().isAnswered(position)
				? state.host.responses().read(position, state.messages, null, null) : null;
		if (response == null) {
			throw new IllegalStateException("Position " + position + " is not answered");
		}
		state.host.claims().release(position);
		message.verify(response);
		return response;
	}

	/** The same without decoding: nothing is allocated. */
	@Benchmark
	public long roundTripUndecoded(RingState state) {
		long position = state.publish(state.payload);
		state.device.answer(position, 0, state.payload, state.messages);
		if (!state.host.responses().isAnswered(position)) {
			throw new IllegalStateException("Position " + position + " is not answered");
		}
		state.host.claims().release(position);
		return position;
	}

	/** A ring of the default size. */
	@State(Scope.Thread)
	public static class RingState {

		final MessageLayout<Payload> messages = MessageLayout.of(Payload.class);

		final Payload payload = new Payload(1, 2, 3, 4, 5, 6, 7, 8);

		final HostRing host;

		final DeviceRing device;

		public RingState() {
			RingLayout layout = RingLayout.forSlots(0, RingLayout.MAX_SLOTS, Payload.BYTES, Payload.BYTES);
			MessageBuffer memory = MessageBuffer.allocate(layout.endOffset());
			this.host = new HostRing(memory, layout, 0);
			this.device = new DeviceRing(memory, layout, 1);
		}

		/** Publishes a request and sees it at the device. */
		long publish(Payload request) {
			Draft draft = this.host.requests().encode(request, this.messages, null);
			long position = this.host.claims().tryClaim();
			this.host.requests().publish(position, draft);
			draft.giveBack();
			if (this.device.poll(position) != DeviceRing.RequestState.PRESENT) {
				throw new IllegalStateException("Position " + position + " is not published");
			}
			return position;
		}

	}

}
