package io.ringkernel.benchmarks;

import java.util.stream.LongStream;

/**
 * The message of 64 bytes that every benchmark sends and gets back.
 */
public record Payload(long a, long b, long c, long d, long e, long f, long g, long h) {

	/** How many bytes it takes in any ring. */
	static final int BYTES = 8 * Long.BYTES;

	/** Returns as many payloads as asked, no two with a word in common. */
	static Payload[] distinct(int count) {
		return LongStream.range(0, count)
			.map((i) -> i * 8)
			.mapToObj((w) -> new Payload(w, w + 1, w + 2, w + 3, w + 4, w + 5, w + 6, w + 7))
			.toArray(Payload[]::new);
	}

	/** Checks an echo of this payload, word by word. */
	void verify(Payload echo) {
		verify(echo.a, echo.b, echo.c, echo.d, echo.e, echo.f, echo.g, echo.h);
	}

	/** Checks the words of an echo of this payload. */
	void verify(long a, long b, long c, long d, long e, long f, long g, long h) {
		if (this.a != a || this.b != b || this.c != c || this.d != d || this.e != e || this.f != f || this.g != g
				|| this.h != h) {
			throw new IllegalStateException(this + " came back as " + new Payload(a, b, c, d, e, f, g, h));
		}
	}

}
