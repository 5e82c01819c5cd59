package io.ringkernel.test.ptx;

import io.ringkernel.test.ptx.text.PtxSyntaxException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * What the machine reads, and what it refuses.
 */
class PtxTextTests {

	@Test
	void namesInBracesHideThoseAround() {
		assertThat(Snippet.int32("mov.u32 %r0, 1; { .reg .b32 %r<2>; mov.u32 %r0, 2; mov.u32 %r1, %r0; }"))
			.isEqualTo(1);
		assertThat(Snippet.int32("mov.u32 %r0, 0; { $l: add.s32 %r0, %r0, 1; bra $m; $m: } { bra $l; $l: }"))
			.isEqualTo(1);
	}

	@Test
	void commentsAndLinesOfTheSourceAreSkipped() {
		assertThat(Snippet.int32("/* two\nlines */ .loc 1 2 3\n mov.u32 %r0, 3; // done")).isEqualTo(3);
	}

	@Test
	void numbersAreWrittenInManyWays() {
		assertThat(Snippet.int32("mov.u32 %r0, 0xffU;")).isEqualTo(255);
		assertThat(Snippet.int32("mov.b32 %r0, -1;")).isEqualTo(-1);
		assertThat(Snippet.single("mov.f32 %f0, 0f3F800000;")).isEqualTo(Float.floatToRawIntBits(1));
		assertThat(Snippet.single("mov.f32 %f0, 2.5;")).isEqualTo(Float.floatToRawIntBits(2.5f));
		assertThat(Snippet.real("mov.f64 %g0, 0d4000000000000000;")).isEqualTo(Double.doubleToRawLongBits(2));
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', textBlock = """
			tex.1d.v4.f32.f32 {%f1, %f2, %f3, %f4}, [%d1];   | tex.1d.v4.f32.f32
			sin.approx.f32 %f0, %f1;                         | sin.approx.f32 is not supported with .approx
			add.rz.f32 %f0, %f1, %f2;                        | add.rz.f32 is not supported with .rz
			add.cc.s32 %r0, %r1, %r2;                        | add.cc.s32 is not supported with saturation or carry
			ld.weird.u32 %r0, [%d1];                         | ld.weird.u32 is not supported with .weird
			mov.u32 %r0, %unknown;                           | mov.u32 names '%unknown', which is not declared
			add.s64 %d0, %d1, %r2;                           | add.s64 reads '%r2' of 32 bits as one of 64
			mov.b64 %d0, {%r1, %h1};                         | mov.b64 reads '%h1' of 16 bits as one of 32
			bra $nowhere;                                    | bra branches to '$nowhere', which is not there
			call.uni nothing;                                | call.uni calls 'nothing', which has no body
			shfl.idx.b32 %r0, %r1, 0, 31;                    | shfl.idx.b32 is supported with .sync alone
			""")
	void whatItDoesNotRunIsRefusedByNameAndLine(String instruction, String message) {
		assertThatExceptionOfType(PtxSyntaxException.class).isThrownBy(() -> Snippet.of("\n\n" + instruction))
			.withMessageStartingWith("line 17: ")
			.withMessageContaining(message);
	}

	@Test
	void aFunctionThatCallsItselfIsRefused() {
		assertThatExceptionOfType(PtxSyntaxException.class)
			.isThrownBy(() -> Snippet.of(".func again() { call.uni again; ret; }", ""))
			.withMessageContaining("'again' calls itself");
	}

}
