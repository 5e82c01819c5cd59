package io.ringkernel.compiler.strict;

import java.nio.charset.StandardCharsets;
import java.util.Random;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class StrictTextTests {

	private static final int[] EDGES = { 0, 0x7f, 0x80, 0x7ff, 0x800, 0xd7ff, 0xe000, 0xffff, 0x10000, 0x10ffff };

	@ParameterizedTest
	@ValueSource(strings = { "", "a", "\u0000", "größer", "a😀bé€c", "\ud800\udc00\udbff\udfff" })
	void aTextIsReadAsStringReadsIt(String text) {
		agree(text, "größer");
	}

	@Test
	void everyCharacterIsReadAsStringReadsIt() {
		for (int point = 0; point <= Character.MAX_CODE_POINT; point++) {
			if (point < Character.MIN_SURROGATE || point > Character.MAX_SURROGATE) {
				String text = Character.toString(point);
				byte[] bytes = utf8(text);
				int units = StrictText.length(bytes);
				if (units != text.length() || StrictText.charAt(bytes, units, 0) != text.charAt(0)
						|| StrictText.charAt(bytes, units, units - 1) != text.charAt(units - 1)) {
					agree(text, text);
				}
			}
		}
	}

	@Test
	void randomTextsAreReadAsStringReadsThem() {
		Random random = new Random(1);
		String before = "";
		for (int i = 0; i < 20_000; i++) {
			StringBuilder text = new StringBuilder();
			for (int length = random.nextInt(12); length > 0; length--) {
				text.appendCodePoint(
						(random.nextInt(3) == 0) ? EDGES[random.nextInt(EDGES.length)] : random.nextInt(300));
			}
			agree(text.toString(), before);
			before = text.toString();
		}
	}

	@Test
	void nothingOutsideOfBytesThatAreNoTextIsRead() {
		assertThatExceptionOfType(ArrayIndexOutOfBoundsException.class)
			.isThrownBy(() -> StrictText.hashCode(new byte[] { (byte) 0xf0, (byte) 0x90 }));
	}

	private static void agree(String text, String other) {
		byte[] bytes = utf8(text);
		assertThat(StrictText.length(bytes)).isEqualTo(text.length());
		for (int i = 0; i < text.length(); i++) {
			assertThat(StrictText.charAt(bytes, text.length(), i)).as("%s at %d", text, i).isEqualTo(text.charAt(i));
		}
		assertThat(StrictText.hashCode(bytes)).isEqualTo(text.hashCode());
		assertThat(StrictText.equals(bytes, utf8(other))).isEqualTo(text.equals(other));
	}

	private static byte[] utf8(String text) {
		return text.getBytes(StandardCharsets.UTF_8);
	}

}
