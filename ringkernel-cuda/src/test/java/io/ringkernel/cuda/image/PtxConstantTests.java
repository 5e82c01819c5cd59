package io.ringkernel.cuda.image;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

class PtxConstantTests {

	@Test
	void bytesAreRead() {
		assertThat(read(".visible .global .align 8 .b8 a[3] = {1, 255, 3};")).containsExactly(1, 255, 3);
	}

	@Test
	void whatIsNotStatedIsZero() {
		assertThat(read(".const .align 1 .u8 a[4]={7};")).containsExactly(7, 0, 0, 0);
	}

	@Test
	void wordsAreLittleEndian() {
		assertThat(read(".global .align 8 .u64 a[1] = {18446744073709551614};")).containsExactly(254, 255, 255, 255,
				255, 255, 255, 255);
		assertThat(read(".global .b32 a[1] = {513};")).containsExactly(1, 2, 0, 0);
	}

	@Test
	void theNameIsTheWholeName() {
		assertThat(read(".global .b8 aa[1] = {1};\n.global .b8 a[1] = {2};")).containsExactly(2);
	}

	@ParameterizedTest
	@ValueSource(strings = { "", ".global .b8 b[1] = {1};", ".extern .global .b8 a[1];", ".global .u64 a[1] = {other};",
			".global .b8 a[1] = {1, 2};", ".global .b8 a[9999999999] = {1};", "a[1]" })
	void nothingElseIsRead(String text) {
		assertThat(PtxConstant.read(text, "a")).isEmpty();
	}

	private static int[] read(String text) {
		byte[] bytes = PtxConstant.read(text, "a");
		int[] values = new int[bytes.length];
		for (int i = 0; i < values.length; i++) {
			values[i] = Byte.toUnsignedInt(bytes[i]);
		}
		return values;
	}

}
