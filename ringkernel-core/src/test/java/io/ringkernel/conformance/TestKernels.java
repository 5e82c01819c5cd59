package io.ringkernel.conformance;

import io.ringkernel.Capacity;
import io.ringkernel.backend.KernelOptions;
import io.ringkernel.backend.KernelSpec;

/**
 * The kernels that the suite talks to. A backend that runs Java supplies handlers, a
 * device supplies images that do the same.
 */
public interface TestKernels {

	/** The most elements of a vector. */
	int VECTOR_CAPACITY = 4096;

	/** The most elements of a frame: several times what a slot holds. */
	int FRAME_CAPACITY = 300;

	/** The most bytes of a blob: more than 64 KiB. */
	int BLOB_CAPACITY = 70_000;

	/**
	 * Returns each request as it is.
	 */
	KernelSpec<Echo, Echo> echo(KernelOptions options);

	/**
	 * Adds two vectors of the same length, element by element.
	 */
	KernelSpec<VectorAddRequest, VectorAddResponse> vectorAdd(KernelOptions options);

	/**
	 * Returns the bytes, and their {@linkplain Blob#checksum(byte[]) checksum} as the
	 * kernel has computed it.
	 */
	KernelSpec<Blob, BlobReply> blob(KernelOptions options);

	/**
	 * Takes the requested time, then returns the request as it is.
	 */
	KernelSpec<Slow, Slow> slow(KernelOptions options);

	/**
	 * Fails with the requested code, or returns the request as it is if that is zero.
	 */
	KernelSpec<Failing, Failing> failing(KernelOptions options);

	/**
	 * Numbers the requests of one launch from 0 in the order in which it handles them;
	 * run with one worker.
	 */
	KernelSpec<Counter, Counted> counter(KernelOptions options);

	/**
	 * Returns every other byte and leaves the others out, which are zero: of an even
	 * sequence it returns the first, third and so on, of an odd one the second.
	 */
	KernelSpec<Blob, BlobReply> sparse(KernelOptions options);

	/**
	 * Numbers requests from 0, by a state that nothing guards: for requests that are sent
	 * one after another.
	 */
	KernelSpec<Counter, Counted> ledger(KernelOptions options);

	/**
	 * Answers each tick with its {@linkplain Quote#of quote}, or fails with the code of
	 * one that has a code.
	 */
	KernelSpec<Ticks, Quotes> quoting(KernelOptions options);

	/**
	 * The code that a failure is reported with.
	 * @param code the code that the kernel was asked to fail with
	 * @return the code that the client sees
	 */
	int reportedCode(int code);

	/**
	 * 64 bytes.
	 */
	record Echo(long producer, long sequence, long a, long b, long c, long d, long e, long checksum) {

		/**
		 * A message whose every bit depends on who sends it.
		 */
		public static Echo of(long producer, long sequence) {
			long a = mix(producer << 40 ^ sequence);
			long b = mix(a);
			long c = mix(b);
			long d = mix(c);
			long e = mix(d);
			return new Echo(producer, sequence, a, b, c, d, e, a ^ b ^ c ^ d ^ e);
		}

		private static long mix(long value) {
			long mixed = (value + 0x9e3779b97f4a7c15L) * 0xbf58476d1ce4e5b9L;
			return mixed ^ (mixed >>> 31);
		}

	}

	/**
	 * Two vectors.
	 */
	record VectorAddRequest(@Capacity(VECTOR_CAPACITY) float[] a, @Capacity(VECTOR_CAPACITY) float[] b) {
	}

	/**
	 * Their sum.
	 */
	record VectorAddResponse(@Capacity(VECTOR_CAPACITY) float[] sum) {
	}

	/**
	 * Bytes behind a fixed block of 24: {@code n} of them are encoded in {@code 32 + n},
	 * none in 24.
	 */
	record Blob(long producer, long sequence, @Capacity(BLOB_CAPACITY) byte[] bytes) {

		/**
		 * The sum of all bytes, as unsigned numbers, each times its index plus 1.
		 */
		public static long checksum(byte[] bytes) {
			long sum = 0;
			for (int i = 0; i < bytes.length; i++) {
				sum += (i + 1L) * (bytes[i] & 0xff);
			}
			return sum;
		}

	}

	/**
	 * The same bytes behind a fixed block of 32: {@code n} of them are encoded in
	 * {@code 32 + n}.
	 */
	record BlobReply(long producer, long sequence, long checksum, @Capacity(BLOB_CAPACITY) byte[] bytes) {
	}

	/**
	 * A request that takes its time.
	 */
	record Slow(long producer, long sequence, long micros) {
	}

	/**
	 * A request that fails unless its code is zero.
	 */
	record Failing(long sequence, int code) {
	}

	/**
	 * A request to be numbered.
	 */
	record Counter(long producer, long sequence) {
	}

	/**
	 * A request that was numbered.
	 */
	record Counted(long producer, long sequence, long order) {
	}

	/**
	 * A frame of requests: 35 of them fit into a slot.
	 */
	record Ticks(@Capacity(FRAME_CAPACITY) Tick[] ticks) {
	}

	/**
	 * One of many, of 32 bytes.
	 */
	record Tick(long producer, long sequence, double price, int code, short size, byte flags) {

		/**
		 * A tick that tells who sends it in each of its components.
		 */
		public static Tick of(long producer, long sequence) {
			return new Tick(producer, sequence, producer + sequence / 4.0, 0, (short) (3 * sequence),
					(byte) (sequence - producer));
		}

	}

	/**
	 * A frame of responses.
	 */
	record Quotes(@Capacity(FRAME_CAPACITY) Quote[] quotes) {
	}

	/**
	 * The answer to one, of 32 bytes.
	 */
	record Quote(long producer, long sequence, float price, long checksum) {

		/**
		 * The answer to a tick, which depends on each of its components.
		 */
		public static Quote of(Tick tick) {
			return new Quote(tick.producer(), tick.sequence(), (float) tick.price(),
					tick.producer() * 31 + tick.sequence() * 17 + tick.size() * 7L + tick.flags());
		}

	}

}
