package io.ringkernel.message;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class Utf8Tests {

	@Test
	void encodesEveryCodePointAsTheJdkDoes() {
		ByteBuffer target = ByteBuffer.allocate(8);
		for (int codePoint = 0; codePoint <= Character.MAX_CODE_POINT; codePoint++) {
			if (codePoint >= Character.MIN_SURROGATE && codePoint <= Character.MAX_SURROGATE) {
				continue;
			}
			String text = Character.toString(codePoint);
			byte[] expected = text.getBytes(StandardCharsets.UTF_8);
			Utf8.encode(text, target, 2);
			if (Utf8.length(text) != expected.length
					|| target.slice(2, expected.length).mismatch(ByteBuffer.wrap(expected)) >= 0) {
				assertThat(target.array()).as("U+%x", codePoint).startsWith(expected);
			}
		}
	}

	@Test
	void findsTheFirstUnpairedSurrogate() {
		assertThat(~Utf8.length("\uD800")).isZero();
		assertThat(~Utf8.length("a\uDC00")).isEqualTo(1);
		assertThat(~Utf8.length("é😀\uD800\uD800\uDC00")).isEqualTo(3);
	}

}
