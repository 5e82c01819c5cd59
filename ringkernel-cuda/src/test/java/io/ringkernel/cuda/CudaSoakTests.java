package io.ringkernel.cuda;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;

import io.ringkernel.RequestStream;
import io.ringkernel.backend.KernelOptions;
import io.ringkernel.conformance.Concurrently;
import io.ringkernel.conformance.TestKernels.Blob;
import io.ringkernel.conformance.TestKernels.BlobReply;
import io.ringkernel.conformance.TestKernels.Echo;
import io.ringkernel.platform.BackendKind;
import io.ringkernel.platform.PlanRequest;
import io.ringkernel.runtime.Kernel;
import io.ringkernel.runtime.RingKernelRuntime;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestReporter;
import org.junit.jupiter.api.Timeout;

/**
 * Many verified messages of 64 B to 64 KiB from several producers, over many laps of the
 * ring. How many is set by {@code ringkernel.soak.messages}.
 */
@RequiresGpu
@Timeout(value = 30, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class CudaSoakTests {

	private static final long MESSAGES = Long.getLong("ringkernel.soak.messages", 400_000);

	private static final Duration LIMIT = Duration.ofMinutes(30);

	private static final int PRODUCERS = 4;

	/** One in so many messages is a blob. */
	private static final int BLOBS = 50;

	private static final int SAMPLES = 64;

	/** What a stream has in flight: all of them together fill a quarter of the ring. */
	private static final long WINDOW = 64;

	@Test
	void everyMessageComesBackAsItWasSent(TestReporter reporter) throws Exception {
		soak(MESSAGES, WINDOW, reporter);
	}

	/**
	 * Slots come free in another order than they were taken: positions are passed over.
	 */
	@Test
	void everyMessageComesBackWhereTheRingIsAlwaysFull(TestReporter reporter) throws Exception {
		soak(MESSAGES / 100, Long.MAX_VALUE, reporter);
	}

	private static void soak(long messages, long window, TestReporter reporter) throws Exception {
		KernelOptions options = KernelOptions.builder().requestTimeout(Duration.ofSeconds(30)).build();
		try (RingKernelRuntime runtime = RingKernelRuntime.open(new PlanRequest(BackendKind.CUDA, null, null))) {
			CudaTestKernels kernels = new CudaTestKernels();
			Kernel<Echo, Echo> echo = runtime.define(kernels.echo(options));
			Kernel<Blob, BlobReply> blob = runtime
				.define(kernels.blob(options.toBuilder().ringMemory(16 << 20).build()));
			echo.launch();
			blob.launch();
			echo.activate();
			blob.activate();
			long blobs = messages / BLOBS / PRODUCERS;
			long echoes = messages / PRODUCERS - blobs;
			long begin = System.nanoTime();
			// Each stream has a thread that sends and one that receives.
			try (Streams<Echo, Echo> echoStreams = new Streams<>(echo, window);
					Streams<Blob, BlobReply> blobStreams = new Streams<>(blob, Math.min(window, 16))) {
				Concurrently.run(4 * PRODUCERS, LIMIT, (thread) -> {
					int producer = thread / 4;
					switch (thread % 4) {
						case 0 -> sendEchoes(echoStreams.get(producer), producer, echoes);
						case 1 -> receiveEchoes(echoStreams.get(producer), producer, echoes);
						case 2 -> sendBlobs(blobStreams.get(producer), producer, blobs);
						default -> receiveBlobs(blobStreams.get(producer), producer, blobs);
					}
				});
			}
			double seconds = (System.nanoTime() - begin) / 1e9;
			reporter.publishEntry("verified", "%d messages in %.1f s, %.2f M/s".formatted(PRODUCERS * (echoes + blobs),
					seconds, PRODUCERS * (echoes + blobs) / seconds / 1e6));
		}
	}

	private static void sendEchoes(Flow<Echo, Echo> stream, int producer, long count) {
		for (long sequence = 0; sequence < count; sequence++) {
			stream.send(Echo.of(producer, sequence));
		}
	}

	private static void receiveEchoes(Flow<Echo, Echo> stream, int producer, long count) {
		for (long sequence = 0; sequence < count; sequence++) {
			Echo response = stream.receive();
			if (!response.equals(Echo.of(producer, sequence))) {
				throw new AssertionError("Expected %s, got %s".formatted(Echo.of(producer, sequence), response));
			}
		}
	}

	private static void sendBlobs(Flow<Blob, BlobReply> stream, int producer, long count) {
		byte[][] samples = samples(producer);
		for (long sequence = 0; sequence < count; sequence++) {
			stream.send(new Blob(producer, sequence, samples[(int) (sequence % SAMPLES)]));
		}
	}

	private static void receiveBlobs(Flow<Blob, BlobReply> stream, int producer, long count) {
		byte[][] samples = samples(producer);
		long[] checksums = new long[SAMPLES];
		for (int i = 0; i < SAMPLES; i++) {
			checksums[i] = Blob.checksum(samples[i]);
		}
		for (long sequence = 0; sequence < count; sequence++) {
			BlobReply reply = stream.receive();
			int sample = (int) (sequence % SAMPLES);
			if (reply.producer() != producer || reply.sequence() != sequence || reply.checksum() != checksums[sample]
					|| !Arrays.equals(reply.bytes(), samples[sample])) {
				throw new AssertionError("Blob %d of producer %d, %d bytes, came back as another".formatted(sequence,
						producer, samples[sample].length));
			}
		}
	}

	/**
	 * Contents of 0 bytes to 64 KiB, as many small as large ones.
	 */
	private static byte[][] samples(int producer) {
		Random random = new Random(producer);
		byte[][] samples = new byte[SAMPLES][];
		for (int i = 0; i < SAMPLES; i++) {
			samples[i] = new byte[(i == 0) ? 0 : random.nextInt(1 << (i % 16 + 1)) + 1];
			random.nextBytes(samples[i]);
		}
		samples[SAMPLES - 1] = new byte[65_536];
		random.nextBytes(samples[SAMPLES - 1]);
		return samples;
	}

	/**
	 * A stream with a bounded number of requests in flight.
	 */
	private static final class Flow<I extends Record, O extends Record> {

		private final RequestStream<I, O> stream;

		private final long window;

		private long sent;

		private volatile long received;

		Flow(RequestStream<I, O> stream, long window) {
			this.stream = stream;
			this.window = window;
		}

		void send(I request) {
			while (this.sent - this.received >= this.window) {
				Thread.yield();
			}
			this.stream.send(request);
			this.sent++;
		}

		@SuppressWarnings("NonAtomicVolatileUpdate") // Only the receiving thread writes
														// it.
		O receive() {
			O response = this.stream.receive();
			this.received++;
			return response;
		}

	}

	/**
	 * A stream for each producer.
	 */
	private static final class Streams<I extends Record, O extends Record> implements AutoCloseable {

		private final List<Flow<I, O>> flows = new ArrayList<>();

		Streams(Kernel<I, O> kernel, long window) {
			for (int i = 0; i < PRODUCERS; i++) {
				this.flows.add(new Flow<>(kernel.client().openStream(), window));
			}
		}

		Flow<I, O> get(int producer) {
			return this.flows.get(producer);
		}

		@Override
		public void close() {
			this.flows.forEach((flow) -> flow.stream.close());
		}

	}

}
