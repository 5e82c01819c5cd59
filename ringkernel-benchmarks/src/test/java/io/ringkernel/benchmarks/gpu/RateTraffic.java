package io.ringkernel.benchmarks.gpu;

import java.util.stream.LongStream;

import io.ringkernel.Frame;
import io.ringkernel.FrameStream;
import io.ringkernel.RequestStream;
import io.ringkernel.benchmarks.gpu.BenchmarkMessages.Payload;
import io.ringkernel.message.MessageLayout;

/**
 * One way to send messages of 64 bytes that come back as they are, and to compare each
 * with what was sent. One thread sends, another receives.
 */
abstract class RateTraffic implements AutoCloseable {

	/** After so many messages, they begin anew. */
	private static final int MESSAGES = 1 << 12;

	/** What is this far apart shares no cache line, nor does a line's neighbour. */
	private static final int APART = 128 / Long.BYTES;

	/**
	 * How many messages were received, amid an array. The sender reads the fields of this
	 * object for each message: a count among them, which the receiver writes for each
	 * message, would take their line away each time.
	 */
	private final long[] received = new long[2 * APART];

	static Payload[] requests() {
		return LongStream.range(0, MESSAGES).mapToObj(Payload::of).toArray(Payload[]::new);
	}

	/**
	 * Sends messages.
	 * @param from how many were sent before
	 * @param count how many; a divisor of the messages there are
	 */
	abstract void send(long from, int count);

	/**
	 * Receives a message, or more if that is the way, and compares them.
	 * @param most the most messages
	 */
	abstract void receive(int most);

	@Override
	public abstract void close();

	long received() {
		return this.received[APART];
	}

	static int index(long message) {
		return (int) message & (MESSAGES - 1);
	}

	void received(int count) {
		this.received[APART] += count;
	}

	/**
	 * Records on a stream.
	 */
	private abstract static class Records extends RateTraffic {

		final RequestStream<Payload, Payload> stream;

		final Payload[] requests;

		Records(RequestStream<Payload, Payload> stream, Payload[] requests) {
			this.stream = stream;
			this.requests = requests;
		}

		final void check(Payload response) {
			if (!response.equals(this.requests[index(received())])) {
				throw new IllegalStateException("Response " + received() + " is " + response);
			}
			received(1);
		}

		@Override
		public final void close() {
			this.stream.close();
		}

	}

	/**
	 * One record at a time.
	 */
	static final class Singly extends Records {

		Singly(RequestStream<Payload, Payload> stream, Payload[] requests) {
			super(stream, requests);
		}

		@Override
		void send(long from, int count) {
			int first = index(from);
			for (int i = first; i < first + count; i++) {
				this.stream.send(this.requests[i]);
			}
		}

		@Override
		void receive(int most) {
			check(this.stream.receive());
		}

	}

	/**
	 * Records in runs.
	 */
	static final class InRuns extends Records {

		InRuns(RequestStream<Payload, Payload> stream, Payload[] requests) {
			super(stream, requests);
		}

		@Override
		void send(long from, int count) {
			int first = index(from);
			this.stream.sendAll(this.requests, first, first + count);
		}

		@Override
		void receive(int most) {
			this.stream.drain(this::check, most);
		}

	}

	/**
	 * Frames that are full.
	 */
	static final class InFrames extends RateTraffic {

		private static final int A = offset("a");

		private static final int B = offset("b");

		private static final int C = offset("c");

		private static final int D = offset("d");

		private static final int E = offset("e");

		private static final int F = offset("f");

		private static final int G = offset("g");

		private static final int H = offset("h");

		private final FrameStream stream;

		InFrames(FrameStream stream) {
			this.stream = stream;
		}

		private static int offset(String component) {
			return MessageLayout.of(Payload.class).offset(component, long.class);
		}

		@Override
		void send(long from, int count) {
			Frame frame = this.stream.request();
			int sent = 0;
			while (sent < count) {
				int size = Math.min(frame.capacity(), count - sent);
				fill(frame, index(from + sent), size);
				this.stream.send(size);
				sent += size;
			}
		}

		private static void fill(Frame frame, long first, int size) {
			for (int i = 0; i < size; i++) {
				long value = first + i;
				frame.putLong(i, A, value);
				frame.putLong(i, B, value + 1);
				frame.putLong(i, C, value + 2);
				frame.putLong(i, D, value + 3);
				frame.putLong(i, E, value + 4);
				frame.putLong(i, F, value + 5);
				frame.putLong(i, G, value + 6);
				frame.putLong(i, H, value + 7);
			}
		}

		/**
		 * A frame is full, so all its messages are neighbours.
		 */
		@Override
		void receive(int most) {
			Frame frame = this.stream.receive();
			int size = frame.size();
			long first = index(received());
			for (int i = 0; i < size; i++) {
				if (differences(frame, i, first + i) != 0) {
					throw new IllegalStateException("Response " + (received() + i) + " differs from its request");
				}
			}
			received(size);
		}

		private static long differences(Frame frame, int i, long value) {
			return (frame.getLong(i, A) ^ value) | (frame.getLong(i, B) ^ (value + 1))
					| (frame.getLong(i, C) ^ (value + 2)) | (frame.getLong(i, D) ^ (value + 3))
					| (frame.getLong(i, E) ^ (value + 4)) | (frame.getLong(i, F) ^ (value + 5))
					| (frame.getLong(i, G) ^ (value + 6)) | (frame.getLong(i, H) ^ (value + 7));
		}

		@Override
		public void close() {
			this.stream.close();
		}

	}

}
