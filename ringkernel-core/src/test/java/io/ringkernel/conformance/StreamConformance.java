package io.ringkernel.conformance;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;

import io.ringkernel.RequestStream;
import io.ringkernel.backend.Backpressure;
import io.ringkernel.backend.KernelOptions;
import io.ringkernel.conformance.TestKernels.Blob;
import io.ringkernel.conformance.TestKernels.BlobReply;
import io.ringkernel.conformance.TestKernels.Echo;
import io.ringkernel.conformance.TestKernels.Failing;
import io.ringkernel.exception.HandlerFailedException;
import io.ringkernel.exception.InvalidMessageException;
import io.ringkernel.exception.RequestTimeoutException;
import io.ringkernel.exception.RingFullException;
import io.ringkernel.runtime.Kernel;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/**
 * Streams: one request or response at a time, and runs of them.
 */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
abstract class StreamConformance {

	@RegisterExtension
	final ConformanceFixture fixture;

	StreamConformance(ConformanceFixture fixture) {
		this.fixture = fixture;
	}

	private Kernel<Echo, Echo> echo(int slots) {
		return echo(slots, ConformanceFixture.OPTIONS);
	}

	private Kernel<Echo, Echo> echo(int slots, KernelOptions options) {
		return this.fixture.activate(ConformanceFixture.withSlots(slots, this.fixture.kernels().echo(options)));
	}

	private static Echo[] echoes(int producer, int from, int count) {
		return IntStream.range(from, from + count).mapToObj((i) -> Echo.of(producer, i)).toArray(Echo[]::new);
	}

	private static void verify(Echo response, long producer, long sequence) {
		if (!response.equals(Echo.of(producer, sequence))) {
			throw new AssertionError("Expected " + Echo.of(producer, sequence) + ", got " + response);
		}
	}

	private static <O extends Record> List<O> drain(RequestStream<?, O> stream, int count) {
		List<O> responses = new ArrayList<>();
		while (responses.size() < count) {
			int before = responses.size();
			int taken = stream.drain(responses::add, count - before);
			assertThat(taken).isPositive().isEqualTo(responses.size() - before);
		}
		return responses;
	}

	@Test
	void aStreamAnswersInTheOrderOfItsRequests() throws InterruptedException {
		Kernel<Echo, Echo> kernel = echo(16);
		int messages = ConformanceFixture.many(200_000);
		try (RequestStream<Echo, Echo> stream = kernel.client().openStream()) {
			Concurrently.run(2, ConformanceFixture.LIMIT, (thread) -> {
				for (int sequence = 0; sequence < messages; sequence++) {
					if (thread == 0) {
						stream.send(Echo.of(5, sequence));
					}
					else {
						verify(stream.receive(), 5, sequence);
					}
				}
			});
		}
		ConformanceFixture.await().untilAsserted(() -> assertThat(kernel.status().processed()).isEqualTo(messages));
		assertThat(kernel.status().inFlight()).isZero();
	}

	@Test
	void streamsAndCallsShareATinyRing() throws InterruptedException {
		Kernel<Echo, Echo> kernel = echo(4);
		RequestStream<Echo, Echo> stream = kernel.client().openStream();
		int each = ConformanceFixture.many(5_000);
		Concurrently.run(6, ConformanceFixture.LIMIT, (thread) -> {
			for (int sequence = 0; sequence < each; sequence++) {
				switch (thread) {
					case 0 -> stream.send(Echo.of(0, sequence));
					case 1 -> verify(stream.receive(), 0, sequence);
					default -> verify(kernel.client().call(Echo.of(thread, sequence)), thread, sequence);
				}
			}
		});
		stream.close();
		assertThat(kernel.status().inFlight()).isZero();
	}

	@ParameterizedTest
	@ValueSource(ints = { 2, 4, 64 })
	void runsOfEveryLengthComeBackInOrder(int slots) {
		Kernel<Echo, Echo> kernel = echo(slots);
		int sequence = 0;
		try (RequestStream<Echo, Echo> stream = kernel.client().openStream()) {
			for (int length = 1; length <= slots; length++) {
				Echo[] run = echoes(1, sequence, length);
				stream.sendAll(run, 0, length);
				assertThat(drain(stream, length)).containsExactly(run);
				sequence += length;
				assertThat(stream.sent()).isEqualTo(sequence);
			}
		}
		assertThat(kernel.status().inFlight()).isZero();
	}

	@ParameterizedTest
	@ValueSource(ints = { 2, 16, 256 })
	void runsLongerThanTheRingPassBetweenTwoThreads(int slots) throws InterruptedException {
		Kernel<Echo, Echo> kernel = echo(slots);
		Echo[] messages = echoes(3, 0, ConformanceFixture.many(50_000));
		try (RequestStream<Echo, Echo> stream = kernel.client().openStream()) {
			Concurrently.run(2, ConformanceFixture.LIMIT, (thread) -> {
				SplittableRandom random = new SplittableRandom(thread);
				int done = 0;
				while (done < messages.length) {
					int most = Math.min(1 + random.nextInt(100), messages.length - done);
					if (thread == 0) {
						stream.sendAll(messages, done, done + most);
						done += most;
					}
					else {
						int[] next = { done };
						done += stream.drain((response) -> verify(response, 3, next[0]++), most);
						assertThat(next[0]).isEqualTo(done);
					}
				}
			});
		}
		assertThat(kernel.status().inFlight()).isZero();
	}

	@Test
	void runsOfTwoStreamsAndCallsShareATinyRing() throws InterruptedException {
		Kernel<Echo, Echo> kernel = echo(4);
		int each = ConformanceFixture.many(5_000);
		List<RequestStream<Echo, Echo>> streams = List.of(kernel.client().openStream(), kernel.client().openStream());
		Concurrently.run(6, ConformanceFixture.LIMIT, (thread) -> {
			int stream = thread % 2;
			switch (thread / 2) {
				case 0 -> {
					Echo[] messages = echoes(stream, 0, each);
					for (int i = 0; i < each; i += 5) {
						streams.get(stream).sendAll(messages, i, i + 5);
					}
				}
				case 1 -> {
					int[] next = { 0 };
					while (next[0] < each) {
						streams.get(stream).drain((response) -> verify(response, stream, next[0]++), 7);
					}
				}
				default -> {
					for (int sequence = 0; sequence < each; sequence++) {
						verify(kernel.client().call(Echo.of(thread, sequence)), thread, sequence);
					}
				}
			}
		});
		streams.forEach(RequestStream::close);
		assertThat(kernel.status().inFlight()).isZero();
	}

	@Test
	void requestsThatAreTooLargeForASlotAreSentInRunsAsWell() {
		Kernel<Blob, BlobReply> kernel = this.fixture
			.activate(ConformanceFixture.withSlots(4, this.fixture.kernels().blob(ConformanceFixture.OPTIONS)));
		Blob[] blobs = IntStream.of(0, 340, 341, 4000)
			.mapToObj((bytes) -> new Blob(1, bytes, new byte[bytes]))
			.toArray(Blob[]::new);
		try (RequestStream<Blob, BlobReply> stream = kernel.client().openStream()) {
			stream.sendAll(blobs, 0, blobs.length);
			assertThat(drain(stream, blobs.length)).extracting(BlobReply::sequence)
				.containsExactly(0L, 340L, 341L, 4000L);
		}
	}

	@Test
	void aHandlerThatFailsInTheMiddleOfARunFailsThatRequestAlone() {
		Kernel<Failing, Failing> kernel = this.fixture
			.activate(ConformanceFixture.withSlots(16, this.fixture.kernels().failing(ConformanceFixture.OPTIONS)));
		Failing[] requests = IntStream.range(0, 10)
			.mapToObj((i) -> new Failing(i, (i == 4) ? 7 : 0))
			.toArray(Failing[]::new);
		List<Failing> responses = new ArrayList<>();
		try (RequestStream<Failing, Failing> stream = kernel.client().openStream()) {
			stream.sendAll(requests, 0, requests.length);
			assertThatExceptionOfType(HandlerFailedException.class).isThrownBy(() -> {
				while (true) {
					stream.drain(responses::add, 10);
				}
			}).satisfies((ex) -> assertThat(ex.code()).isEqualTo(this.fixture.kernels().reportedCode(7)));
			assertThat(responses).containsExactly(Arrays.copyOf(requests, 4));
			assertThat(drain(stream, 5)).containsExactly(Arrays.copyOfRange(requests, 5, 10));
		}
		assertThat(kernel.status().inFlight()).isZero();
	}

	@Test
	void whatLiesBeforeAnInvalidRequestOfARunIsSent() {
		Kernel<Echo, Echo> kernel = echo(16);
		Echo[] requests = echoes(2, 0, 8);
		requests[5] = null;
		try (RequestStream<Echo, Echo> stream = kernel.client().openStream()) {
			assertThatExceptionOfType(InvalidMessageException.class).isThrownBy(() -> stream.sendAll(requests, 0, 8));
			assertThat(stream.sent()).isEqualTo(5);
			stream.sendAll(requests, 6, 8);
			List<Echo> responses = drain(stream, 7);
			assertThat(responses).extracting(Echo::sequence).containsExactly(0L, 1L, 2L, 3L, 4L, 6L, 7L);
		}
		assertThat(kernel.status().inFlight()).isZero();
	}

	@Test
	void aConsumerThatThrowsHasTakenOneResponse() {
		Kernel<Echo, Echo> kernel = echo(16);
		Echo[] requests = echoes(2, 0, 8);
		List<Echo> responses = new ArrayList<>();
		try (RequestStream<Echo, Echo> stream = kernel.client().openStream()) {
			stream.sendAll(requests, 0, 8);
			assertThatIllegalStateException().isThrownBy(() -> {
				while (true) {
					stream.drain((response) -> {
						responses.add(response);
						if (response.sequence() == 3) {
							throw new IllegalStateException("the consumer's");
						}
					}, 8);
				}
			}).withMessage("the consumer's");
			responses.addAll(drain(stream, 4));
			assertThat(responses).containsExactly(requests);
		}
		assertThat(kernel.status().inFlight()).isZero();
	}

	@Test
	void aRunThatFindsTheRingFullIsRejectedBehindWhatWasSent() {
		Kernel<Echo, Echo> kernel = echo(4,
				ConformanceFixture.OPTIONS.toBuilder().backpressure(Backpressure.REJECT).build());
		Echo[] requests = echoes(2, 0, 8);
		try (RequestStream<Echo, Echo> stream = kernel.client().openStream()) {
			assertThatExceptionOfType(RingFullException.class).isThrownBy(() -> stream.sendAll(requests, 0, 8));
			assertThat(stream.sent()).isEqualTo(4);
			assertThat(drain(stream, 4)).containsExactly(Arrays.copyOf(requests, 4));
		}
		assertThat(kernel.status().inFlight()).isZero();
	}

	@Test
	void aDrainOfAStreamThatNothingIsSentOnTimesOut() {
		Kernel<Echo, Echo> kernel = echo(4,
				ConformanceFixture.OPTIONS.toBuilder().requestTimeout(Duration.ofMillis(20)).build());
		try (RequestStream<Echo, Echo> stream = kernel.client().openStream()) {
			assertThatExceptionOfType(RequestTimeoutException.class)
				.isThrownBy(() -> stream.drain((response) -> verify(response, 0, 0), 1))
				.withMessageContaining("nothing was sent");
			assertThatExceptionOfType(RequestTimeoutException.class).isThrownBy(stream::receive)
				.withMessageContaining("nothing was sent");
			assertThat(kernel.status().timedOut()).isZero();
		}
	}

	@Test
	void aRangeOrALimitThatIsNoneIsRefused() {
		Kernel<Echo, Echo> kernel = echo(4);
		try (RequestStream<Echo, Echo> stream = kernel.client().openStream()) {
			assertThatExceptionOfType(IndexOutOfBoundsException.class)
				.isThrownBy(() -> stream.sendAll(echoes(1, 0, 2), 1, 3));
			assertThatIllegalArgumentException().isThrownBy(() -> stream.drain((response) -> verify(response, 0, 0), 0))
				.withMessageContaining("limit is 0");
			stream.sendAll(echoes(1, 0, 2), 1, 1);
			assertThat(stream.sent()).isZero();
		}
	}

}
