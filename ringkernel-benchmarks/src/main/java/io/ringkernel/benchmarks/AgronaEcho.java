package io.ringkernel.benchmarks;

import java.nio.ByteBuffer;

import org.agrona.BufferUtil;
import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;
import org.agrona.concurrent.Agent;
import org.agrona.concurrent.AgentRunner;
import org.agrona.concurrent.AtomicBuffer;
import org.agrona.concurrent.BusySpinIdleStrategy;
import org.agrona.concurrent.MessageHandler;
import org.agrona.concurrent.UnsafeBuffer;
import org.agrona.concurrent.ringbuffer.OneToOneRingBuffer;
import org.agrona.concurrent.ringbuffer.RingBuffer;
import org.agrona.concurrent.ringbuffer.RingBufferDescriptor;

/**
 * The echo over two of Agrona's one-to-one ring buffers in direct memory: an agent that
 * spins copies requests to responses. For one caller.
 */
final class AgronaEcho {

	private static final int TYPE = 1;

	private static final int SLOTS = 1024;

	/** The header of a record is 8 bytes, and records are aligned to 8. */
	private static final int CAPACITY = SLOTS * 2 * Payload.BYTES;

	private final RingBuffer requests = ring();

	private final RingBuffer responses = ring();

	private final MessageHandler verifier = this::verify;

	private final AgentRunner runner;

	private Payload expected = new Payload(0, 0, 0, 0, 0, 0, 0, 0);

	AgronaEcho() {
		this.runner = new AgentRunner(BusySpinIdleStrategy.INSTANCE, AgronaEcho::onError, null,
				new EchoAgent(this.requests, this.responses));
		AgentRunner.startOnThread(this.runner);
	}

	private static RingBuffer ring() {
		ByteBuffer memory = BufferUtil.allocateDirectAligned(CAPACITY + RingBufferDescriptor.TRAILER_LENGTH, 128);
		return new OneToOneRingBuffer(new UnsafeBuffer(memory));
	}

	private static void onError(Throwable error) {
		throw new IllegalStateException("The echo failed", error);
	}

	/** Sends a request. */
	void send(Payload payload) {
		int index = claim(this.requests);
		AtomicBuffer buffer = this.requests.buffer();
		buffer.putLong(index, payload.a());
		buffer.putLong(index + 8, payload.b());
		buffer.putLong(index + 16, payload.c());
		buffer.putLong(index + 24, payload.d());
		buffer.putLong(index + 32, payload.e());
		buffer.putLong(index + 40, payload.f());
		buffer.putLong(index + 48, payload.g());
		buffer.putLong(index + 56, payload.h());
		this.requests.commit(index);
	}

	/** Waits for the response that is next, checks it and gives its place back. */
	void receive(Payload expected) {
		this.expected = expected;
		while (this.responses.read(this.verifier, 1) == 0) {
			Thread.onSpinWait();
		}
	}

	private void verify(int type, MutableDirectBuffer buffer, int index, int length) {
		this.expected.verify(buffer.getLong(index), buffer.getLong(index + 8), buffer.getLong(index + 16),
				buffer.getLong(index + 24), buffer.getLong(index + 32), buffer.getLong(index + 40),
				buffer.getLong(index + 48), buffer.getLong(index + 56));
	}

	private static int claim(RingBuffer ring) {
		int index;
		do {
			index = ring.tryClaim(TYPE, Payload.BYTES);
		}
		while (index == RingBuffer.INSUFFICIENT_CAPACITY);
		return index;
	}

	void close() {
		this.runner.close();
	}

	private static final class EchoAgent implements Agent {

		private final RingBuffer requests;

		private final RingBuffer responses;

		private final MessageHandler handler = this::echo;

		EchoAgent(RingBuffer requests, RingBuffer responses) {
			this.requests = requests;
			this.responses = responses;
		}

		@Override
		public int doWork() {
			return this.requests.read(this.handler);
		}

		private void echo(int type, DirectBuffer request, int from, int length) {
			int index = claim(this.responses);
			AtomicBuffer response = this.responses.buffer();
			for (int word = 0; word < Payload.BYTES; word += Long.BYTES) {
				response.putLong(index + word, request.getLong(from + word));
			}
			this.responses.commit(index);
		}

		@Override
		public String roleName() {
			return "agrona-echo";
		}

	}

}
