package io.ringkernel.conformance;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;

import io.ringkernel.Frame;
import io.ringkernel.FrameStream;
import io.ringkernel.backend.Backpressure;
import io.ringkernel.backend.KernelOptions;
import io.ringkernel.conformance.TestKernels.Echo;
import io.ringkernel.conformance.TestKernels.Quote;
import io.ringkernel.conformance.TestKernels.Quotes;
import io.ringkernel.conformance.TestKernels.Tick;
import io.ringkernel.conformance.TestKernels.Ticks;
import io.ringkernel.exception.HandlerFailedException;
import io.ringkernel.exception.InvalidMessageException;
import io.ringkernel.exception.RequestTimeoutException;
import io.ringkernel.exception.RingFullException;
import io.ringkernel.exception.UnsupportedMessageTypeException;
import io.ringkernel.message.MessageLayout;
import io.ringkernel.runtime.Kernel;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Frames: many small requests behind one header, in slots and in payloads.
 */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
abstract class FrameConformance {

	@RegisterExtension
	final ConformanceFixture fixture;

	FrameConformance(ConformanceFixture fixture) {
		this.fixture = fixture;
	}

	private Kernel<Ticks, Quotes> quoting(int slots) {
		return quoting(slots, ConformanceFixture.OPTIONS);
	}

	private Kernel<Ticks, Quotes> quoting(int slots, KernelOptions options) {
		return this.fixture.activate(ConformanceFixture.withSlots(slots, this.fixture.kernels().quoting(options)));
	}

	private static void fill(Frame frame, long producer, long from, int count) {
		for (int i = 0; i < count; i++) {
			put(frame, i, Tick.of(producer, from + i));
		}
	}

	private static void put(Frame frame, int element, Tick tick) {
		frame.putLong(element, tick("producer", long.class), tick.producer());
		frame.putLong(element, tick("sequence", long.class), tick.sequence());
		frame.putDouble(element, tick("price", double.class), tick.price());
		frame.putInt(element, tick("code", int.class), tick.code());
		frame.putShort(element, tick("size", short.class), tick.size());
		frame.putByte(element, tick("flags", byte.class), tick.flags());
	}

	private static int tick(String component, Class<?> type) {
		return MessageLayout.of(Tick.class).offset(component, type);
	}

	private static List<Quote> quotes(Frame frame) {
		MessageLayout<Quote> quote = MessageLayout.of(Quote.class);
		int producer = quote.offset("producer", long.class);
		int sequence = quote.offset("sequence", long.class);
		int price = quote.offset("price", float.class);
		int checksum = quote.offset("checksum", long.class);
		return IntStream.range(0, frame.size())
			.mapToObj((i) -> new Quote(frame.getLong(i, producer), frame.getLong(i, sequence), frame.getFloat(i, price),
					frame.getLong(i, checksum)))
			.toList();
	}

	private static List<Quote> expected(long producer, long from, int count) {
		return IntStream.range(0, count).mapToObj((i) -> Quote.of(Tick.of(producer, from + i))).toList();
	}

	@ParameterizedTest
	@ValueSource(ints = { 0, 1, 2, 31, 32, 33, 34, 35, 36, 37, 255, 299, 300 })
	void aFrameOfEachSizeComesBackElementByElement(int size) {
		Kernel<Ticks, Quotes> kernel = quoting(4);
		try (FrameStream frames = kernel.client().openFrames()) {
			fill(frames.request(), 7, size, size);
			frames.send(size);
			assertThat(frames.request().size()).isEqualTo(size);
			assertThat(quotes(frames.receive())).isEqualTo(expected(7, size, size));
		}
		assertThat(kernel.status().inFlight()).isZero();
		ConformanceFixture.await().untilAsserted(() -> assertThat(kernel.status().processed()).isEqualTo(1));
	}

	@ParameterizedTest
	@ValueSource(ints = { -1, 301 })
	void aSizeThatTheFrameHasNotIsRefused(int size) {
		Kernel<Ticks, Quotes> kernel = quoting(4);
		try (FrameStream frames = kernel.client().openFrames()) {
			assertThatExceptionOfType(InvalidMessageException.class).isThrownBy(() -> frames.send(size))
				.withMessageContaining(size + " elements; send 0 to 300");
			assertThat(kernel.status().inFlight()).isZero();
			fill(frames.request(), 1, 0, 2);
			frames.send(2);
			assertThat(quotes(frames.receive())).isEqualTo(expected(1, 0, 2));
		}
	}

	@ParameterizedTest
	@ValueSource(ints = { 2, 4, 64 })
	void framesOfAnySizePassBetweenTwoThreadsInOrder(int slots) throws InterruptedException {
		Kernel<Ticks, Quotes> kernel = quoting(slots);
		int ticks = ConformanceFixture.many(100_000);
		try (FrameStream frames = kernel.client().openFrames()) {
			Concurrently.run(2, ConformanceFixture.LIMIT, (thread) -> {
				SplittableRandom sizes = new SplittableRandom(slots);
				int done = 0;
				while (done < ticks) {
					int size = Math.min(sizes.nextInt(301), ticks - done);
					if (thread == 0) {
						fill(frames.request(), 3, done, size);
						frames.send(size);
					}
					else {
						assertThat(quotes(frames.receive())).isEqualTo(expected(3, done, size));
					}
					done += size;
				}
			});
		}
		assertThat(kernel.status().inFlight()).isZero();
	}

	@Test
	void framesAndCallsShareATinyRing() throws InterruptedException {
		Kernel<Ticks, Quotes> kernel = quoting(4);
		int each = ConformanceFixture.many(2_000);
		List<FrameStream> streams = List.of(kernel.client().openFrames(), kernel.client().openFrames());
		Concurrently.run(6, ConformanceFixture.LIMIT, (thread) -> {
			FrameStream frames = streams.get(thread % 2);
			for (int i = 0; i < each; i++) {
				int size = i % 50;
				switch (thread / 2) {
					case 0 -> {
						fill(frames.request(), thread % 2, i, size);
						frames.send(size);
					}
					case 1 -> assertThat(quotes(frames.receive())).isEqualTo(expected(thread % 2, i, size));
					default -> {
						Tick[] ticks = { Tick.of(thread, i) };
						assertThat(kernel.client().call(new Ticks(ticks)).quotes()).containsExactly(Quote.of(ticks[0]));
					}
				}
			}
		});
		streams.forEach(FrameStream::close);
		assertThat(kernel.status().inFlight()).isZero();
	}

	@Test
	void aHandlerThatFailsOnOneElementFailsItsFrameAlone() {
		Kernel<Ticks, Quotes> kernel = quoting(8);
		try (FrameStream frames = kernel.client().openFrames()) {
			for (int i = 0; i < 4; i++) {
				fill(frames.request(), i, 0, 300);
				if (i == 2) {
					frames.request().putInt(199, tick("code", int.class), 7);
				}
				frames.send(300);
			}
			assertThat(quotes(frames.receive())).isEqualTo(expected(0, 0, 300));
			assertThat(quotes(frames.receive())).isEqualTo(expected(1, 0, 300));
			assertThatExceptionOfType(HandlerFailedException.class).isThrownBy(frames::receive)
				.satisfies((ex) -> assertThat(ex.code()).isEqualTo(this.fixture.kernels().reportedCode(7)));
			assertThat(quotes(frames.receive())).isEqualTo(expected(3, 0, 300));
		}
		assertThat(kernel.status().inFlight()).isZero();
	}

	@Test
	void aFrameThatIsBeingFilledHoldsNobodyUp() {
		Kernel<Ticks, Quotes> kernel = quoting(2);
		try (FrameStream frames = kernel.client().openFrames()) {
			fill(frames.request(), 9, 0, 150);
			Tick[] ticks = { Tick.of(1, 1) };
			for (int i = 0; i < 6; i++) {
				assertThat(kernel.client().call(new Ticks(ticks)).quotes()).containsExactly(Quote.of(ticks[0]));
			}
			for (int i = 150; i < 300; i++) {
				put(frames.request(), i, Tick.of(9, i));
			}
			frames.send(300);
			assertThat(quotes(frames.receive())).isEqualTo(expected(9, 0, 300));
		}
	}

	@Test
	void aFrameThatWasReceivedStaysWhenItsSlotIsUsedAgain() {
		Kernel<Ticks, Quotes> kernel = quoting(2);
		try (FrameStream frames = kernel.client().openFrames()) {
			fill(frames.request(), 5, 0, 300);
			frames.send(300);
			Frame response = frames.receive();
			for (int i = 0; i < 4; i++) {
				kernel.client()
					.call(new Ticks(IntStream.range(0, 300).mapToObj((t) -> Tick.of(6, t)).toArray(Tick[]::new)));
			}
			assertThat(quotes(response)).isEqualTo(expected(5, 0, 300));
		}
	}

	@Test
	void whatWasSentCanBeChangedAndSentAgain() {
		Kernel<Ticks, Quotes> kernel = quoting(4);
		try (FrameStream frames = kernel.client().openFrames()) {
			fill(frames.request(), 5, 0, 40);
			frames.send(40);
			put(frames.request(), 1, Tick.of(6, 6));
			frames.send(3);
			assertThat(quotes(frames.receive())).isEqualTo(expected(5, 0, 40));
			assertThat(quotes(frames.receive())).containsExactly(Quote.of(Tick.of(5, 0)), Quote.of(Tick.of(6, 6)),
					Quote.of(Tick.of(5, 2)));
		}
	}

	@Test
	void aFrameForAFullRingIsRejectedAndCanBeSentLater() {
		Kernel<Ticks, Quotes> kernel = quoting(4,
				ConformanceFixture.OPTIONS.toBuilder().backpressure(Backpressure.REJECT).build());
		try (FrameStream frames = kernel.client().openFrames()) {
			for (int i = 0; i < 4; i++) {
				fill(frames.request(), 1, i, 100);
				frames.send(100);
			}
			fill(frames.request(), 1, 4, 100);
			assertThatExceptionOfType(RingFullException.class).isThrownBy(() -> frames.send(100));
			List<List<Quote>> responses = new ArrayList<>();
			for (int i = 0; i < 4; i++) {
				responses.add(quotes(frames.receive()));
			}
			frames.send(100);
			responses.add(quotes(frames.receive()));
			assertThat(responses).isEqualTo(IntStream.range(0, 5).mapToObj((i) -> expected(1, i, 100)).toList());
		}
		assertThat(kernel.status().inFlight()).isZero();
	}

	@Test
	void framesThatNobodyReceivesAreGivenUp() {
		Kernel<Ticks, Quotes> kernel = quoting(8);
		try (FrameStream frames = kernel.client().openFrames()) {
			fill(frames.request(), 1, 0, 300);
			for (int i = 0; i < 5; i++) {
				frames.send(300);
			}
		}
		ConformanceFixture.await().untilAsserted(() -> assertThat(kernel.status().inFlight()).isZero());
	}

	@Test
	void aReceiverThatNothingIsSentToTimesOut() {
		Kernel<Ticks, Quotes> kernel = quoting(4,
				ConformanceFixture.OPTIONS.toBuilder().requestTimeout(Duration.ofMillis(20)).build());
		try (FrameStream frames = kernel.client().openFrames()) {
			assertThatExceptionOfType(RequestTimeoutException.class).isThrownBy(frames::receive)
				.withMessageContaining("nothing was sent");
			assertThat(kernel.status().timedOut()).isZero();
			assertThat(kernel.latestErrors()).isEmpty();
		}
	}

	@Test
	void aKernelWhoseMessagesAreNoFramesHasNone() {
		Kernel<Echo, Echo> kernel = this.fixture.activate(this.fixture.kernels().echo(ConformanceFixture.OPTIONS));
		assertThatExceptionOfType(UnsupportedMessageTypeException.class).isThrownBy(() -> kernel.client().openFrames())
			.withMessageContaining("Echo is no frame");
	}

}
