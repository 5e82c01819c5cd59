package io.ringkernel.benchmarks;

import com.lmax.disruptor.AlertException;
import com.lmax.disruptor.BatchEventProcessor;
import com.lmax.disruptor.BatchEventProcessorBuilder;
import com.lmax.disruptor.RingBuffer;
import com.lmax.disruptor.Sequence;
import com.lmax.disruptor.SequenceBarrier;
import com.lmax.disruptor.TimeoutException;

/**
 * The echo over two Disruptors, one each way, each with a single producer: a batch event
 * processor copies requests to responses, the caller waits on the barrier of the
 * responses itself. For one caller.
 */
final class DisruptorEcho {

	private static final int SLOTS = 1024;

	/** The most responses that are published together. */
	private static final int BATCH = 32;

	private final RingBuffer<Words> requests;

	private final RingBuffer<Words> responses;

	private final SequenceBarrier responsesBarrier;

	private final Sequence taken = new Sequence();

	private final BatchEventProcessor<Words> processor;

	private final Thread thread;

	private long available = -1;

	DisruptorEcho(DisruptorWait wait) {
		this.requests = RingBuffer.createSingleProducer(Words::new, SLOTS, wait.strategy());
		this.responses = RingBuffer.createSingleProducer(Words::new, SLOTS, wait.strategy());
		this.responsesBarrier = this.responses.newBarrier();
		this.responses.addGatingSequences(this.taken);
		this.processor = new BatchEventProcessorBuilder().build(this.requests, this.requests.newBarrier(), this::echo);
		this.requests.addGatingSequences(this.processor.getSequence());
		this.thread = new Thread(this.processor, "disruptor-echo");
		this.thread.setDaemon(true);
		this.thread.start();
	}

	private void echo(Words request, long sequence, boolean endOfBatch) {
		long claimed = this.responses.next();
		this.responses.get(claimed).copy(request);
		if (endOfBatch || claimed % BATCH == 0) {
			this.responses.publish(claimed);
		}
	}

	/** Sends a request. */
	void send(Payload payload) {
		long claimed = this.requests.next();
		this.requests.get(claimed).set(payload);
		this.requests.publish(claimed);
	}

	/** Waits for the response that is next, checks it and gives its slot back. */
	void receive(Payload expected) {
		long next = this.taken.get() + 1;
		await(next);
		this.responses.get(next).verify(expected);
		this.taken.set(next);
	}

	/** Sends requests, published together. */
	void sendBatch(Payload[] payloads, int from, int count) {
		long last = this.requests.next(count);
		long first = last - count + 1;
		for (int i = 0; i < count; i++) {
			this.requests.get(first + i).set(payloads[from + i]);
		}
		this.requests.publish(first, last);
	}

	/** Waits for responses, checks them and gives back the slots of those there are. */
	void receiveBatch(Payload[] expected, int from, int count) {
		long first = this.taken.get() + 1;
		for (int i = 0; i < count;) {
			await(first + i);
			long end = Math.min(this.available + 1, first + count);
			while (first + i < end) {
				this.responses.get(first + i).verify(expected[from + i]);
				i++;
			}
			this.taken.set(end - 1);
		}
	}

	private void await(long next) {
		try {
			while (this.available < next) {
				this.available = this.responsesBarrier.waitFor(next);
			}
		}
		catch (AlertException | TimeoutException | InterruptedException ex) {
			throw new IllegalStateException("The wait for a response was broken off", ex);
		}
	}

	void close() throws InterruptedException {
		this.processor.halt();
		this.thread.join();
	}

	private static final class Words {

		private long a;

		private long b;

		private long c;

		private long d;

		private long e;

		private long f;

		private long g;

		private long h;

		void set(Payload payload) {
			this.a = payload.a();
			this.b = payload.b();
			this.c = payload.c();
			this.d = payload.d();
			this.e = payload.e();
			this.f = payload.f();
			this.g = payload.g();
			this.h = payload.h();
		}

		void copy(Words other) {
			this.a = other.a;
			this.b = other.b;
			this.c = other.c;
			this.d = other.d;
			this.e = other.e;
			this.f = other.f;
			this.g = other.g;
			this.h = other.h;
		}

		void verify(Payload expected) {
			expected.verify(this.a, this.b, this.c, this.d, this.e, this.f, this.g, this.h);
		}

	}

}
