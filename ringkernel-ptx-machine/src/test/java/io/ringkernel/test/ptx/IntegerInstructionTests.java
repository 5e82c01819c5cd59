package io.ringkernel.test.ptx;

import java.util.function.IntBinaryOperator;
import java.util.function.LongBinaryOperator;
import java.util.stream.Stream;

import io.ringkernel.test.ptx.machine.PtxFault;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.junit.jupiter.params.provider.Arguments.arguments;

/**
 * Integers, against Java's own arithmetic.
 */
class IntegerInstructionTests {

	private static final int[] INTS = { 0, 1, -1, 2, 7, -13, 31, 32, 33, 255, 65_536, Integer.MAX_VALUE,
			Integer.MIN_VALUE, 0x5a5a5a5a };

	private static final long[] LONGS = { 0, 1, -1, 3, -7, 63, 64, 1L << 32, (1L << 32) - 1, Long.MAX_VALUE,
			Long.MIN_VALUE, 0x5a5a5a5a_a5a5a5a5L };

	static Stream<Arguments> ints() {
		return Stream.of(int32("add.s32", Integer::sum), int32("sub.s32", (a, b) -> a - b),
				int32("mul.lo.s32", (a, b) -> a * b), int32("mul.hi.s32", (a, b) -> (int) ((long) a * b >> 32)),
				int32("mul.hi.u32", (a, b) -> (int) (unsigned(a) * unsigned(b) >>> 32)), int32("min.s32", Math::min),
				int32("max.s32", Math::max), int32("min.u32", (a, b) -> (Integer.compareUnsigned(a, b) < 0) ? a : b),
				int32("max.u32", (a, b) -> (Integer.compareUnsigned(a, b) < 0) ? b : a),
				int32("and.b32", (a, b) -> a & b), int32("or.b32", (a, b) -> a | b), int32("xor.b32", (a, b) -> a ^ b),
				int32("shl.b32", (a, b) -> (b >>> 5 != 0) ? 0 : a << b),
				int32("shr.u32", (a, b) -> (b >>> 5 != 0) ? 0 : a >>> b),
				int32("shr.s32", (a, b) -> (b >>> 5 != 0) ? a >> 31 : a >> b));
	}

	private static Arguments int32(String opcode, IntBinaryOperator expected) {
		return arguments(opcode, expected);
	}

	private static long unsigned(int value) {
		return Integer.toUnsignedLong(value);
	}

	@ParameterizedTest
	@MethodSource("ints")
	void of32Bits(String opcode, IntBinaryOperator expected) {
		for (int a : INTS) {
			for (int b : INTS) {
				assertThat(Snippet.int32(opcode + " %r0, %r1, %r2;", a, b)).as("%s %d, %d", opcode, a, b)
					.isEqualTo(expected.applyAsInt(a, b));
			}
		}
	}

	static Stream<Arguments> longs() {
		return Stream.of(int64("add.s64", Long::sum), int64("sub.s64", (a, b) -> a - b),
				int64("mul.lo.s64", (a, b) -> a * b), int64("mul.hi.s64", Math::multiplyHigh),
				int64("min.s64", Math::min), int64("max.s64", Math::max),
				int64("min.u64", (a, b) -> (Long.compareUnsigned(a, b) < 0) ? a : b));
	}

	private static Arguments int64(String opcode, LongBinaryOperator expected) {
		return arguments(opcode, expected);
	}

	@ParameterizedTest
	@MethodSource("longs")
	void of64Bits(String opcode, LongBinaryOperator expected) {
		for (long a : LONGS) {
			for (long b : LONGS) {
				assertThat(Snippet.int64(opcode + " %d0, %d1, %d2;", a, b)).as("%s %d, %d", opcode, a, b)
					.isEqualTo(expected.applyAsLong(a, b));
			}
		}
	}

	@Test
	void aShiftOf64BitsTakesItsCountFrom32() {
		for (int count : new int[] { 0, 1, 31, 32, 63, 64, 65, -1 }) {
			boolean within = count >>> 6 == 0;
			assertThat(Snippet.int64("shl.b64 %d0, %d1, %r2;", -3, count)).isEqualTo(within ? -3L << count : 0);
			assertThat(Snippet.int64("shr.u64 %d0, %d1, %r2;", -3, count)).isEqualTo(within ? -3L >>> count : 0);
			assertThat(Snippet.int64("shr.s64 %d0, %d1, %r2;", -3, count)).isEqualTo(within ? -3L >> count : -1);
		}
	}

	@Test
	void quotientsAreThoseOfJava() {
		for (int a : INTS) {
			for (int b : INTS) {
				if (b != 0) {
					assertThat(Snippet.int32("div.s32 %r0, %r1, %r2;", a, b)).isEqualTo(a / b);
					assertThat(Snippet.int32("rem.s32 %r0, %r1, %r2;", a, b)).isEqualTo(a % b);
					assertThat(Snippet.int32("div.u32 %r0, %r1, %r2;", a, b)).isEqualTo(Integer.divideUnsigned(a, b));
					assertThat(Snippet.int32("rem.u32 %r0, %r1, %r2;", a, b))
						.isEqualTo(Integer.remainderUnsigned(a, b));
				}
			}
		}
		assertThat(Snippet.int64("div.s64 %d0, %d1, %d2;", Long.MIN_VALUE, -1)).isEqualTo(Long.MIN_VALUE);
		assertThat(Snippet.int64("div.u64 %d0, %d1, %d2;", -1, 10)).isEqualTo(Long.divideUnsigned(-1, 10));
	}

	@Test
	void aDivisionByZeroIsReportedAsItsResultIsNotSpecified() {
		assertThatExceptionOfType(PtxFault.class).isThrownBy(() -> Snippet.int32("div.s32 %r0, %r1, %r2;", 1, 0))
			.withMessageContaining("thread 0 of block 0 divides by zero (div.s32 in line")
			.satisfies((fault) -> assertThat(fault.kind()).isEqualTo(PtxFault.Kind.UNSPECIFIED));
	}

	@Test
	void wideProductsHaveTwiceTheBits() {
		for (int a : INTS) {
			for (int b : INTS) {
				assertThat(Snippet.int64("mul.wide.s32 %d0, %r1, %r2;", a, b)).isEqualTo((long) a * b);
				assertThat(Snippet.int64("mul.wide.u32 %d0, %r1, %r2;", a, b)).isEqualTo(unsigned(a) * unsigned(b));
				assertThat(Snippet.int64("mad.wide.s32 %d0, %r1, %r2, %d3;", a, b, 5)).isEqualTo((long) a * b + 5);
				assertThat(Snippet.int32("mad.lo.s32 %r0, %r1, %r2, %r3;", a, b, 5)).isEqualTo(a * b + 5);
			}
		}
	}

	@Test
	void sixteenBitsWrap() {
		assertThat(Snippet.int16("add.s16 %h0, %h1, %h2;", Short.MAX_VALUE, 1)).isEqualTo(Short.MIN_VALUE);
		assertThat(Snippet.int16("mul.lo.s16 %h0, %h1, %h2;", 300, 300)).isEqualTo((short) 90_000);
		assertThat(Snippet.int32("mul.wide.u16 %r0, %h1, %h2;", 0xffff, 0xffff)).isEqualTo(0xffff * 0xffff);
	}

	@Test
	void signsAreTakenAway() {
		for (int a : INTS) {
			assertThat(Snippet.int32("neg.s32 %r0, %r1;", a)).isEqualTo(-a);
			assertThat(Snippet.int32("abs.s32 %r0, %r1;", a)).isEqualTo(Math.abs(a));
			assertThat(Snippet.int32("not.b32 %r0, %r1;", a)).isEqualTo(~a);
		}
	}

	@Test
	void bitsAreCountedAndFound() {
		for (int a : INTS) {
			assertThat(Snippet.int32("popc.b32 %r0, %r1;", a)).isEqualTo(Integer.bitCount(a));
			assertThat(Snippet.int32("clz.b32 %r0, %r1;", a)).isEqualTo(Integer.numberOfLeadingZeros(a));
			assertThat(Snippet.int32("brev.b32 %r0, %r1;", a)).isEqualTo(Integer.reverse(a));
			assertThat(Snippet.int32("bfind.u32 %r0, %r1;", a)).isEqualTo(31 - Integer.numberOfLeadingZeros(a));
			assertThat(Snippet.int32("bfind.s32 %r0, %r1;", a))
				.isEqualTo(31 - Integer.numberOfLeadingZeros((a < 0) ? ~a : a));
		}
		for (long a : LONGS) {
			assertThat(Snippet.int32("popc.b64 %r0, %d1;", a)).isEqualTo(Long.bitCount(a));
			assertThat(Snippet.int32("clz.b64 %r0, %d1;", a)).isEqualTo(Long.numberOfLeadingZeros(a));
			assertThat(Snippet.int64("brev.b64 %d0, %d1;", a)).isEqualTo(Long.reverse(a));
		}
	}

	@Test
	void fieldsAreTakenOutAndPutIn() {
		assertThat(Snippet.int32("bfe.u32 %r0, %r1, 4, 8;", 0xabcd)).isEqualTo(0xbc);
		assertThat(Snippet.int32("bfe.s32 %r0, %r1, 4, 8;", 0xabcd)).isEqualTo((byte) 0xbc);
		assertThat(Snippet.int32("bfe.s32 %r0, %r1, 28, 8;", 0xf0000000)).isEqualTo(-1);
		assertThat(Snippet.int32("bfe.u32 %r0, %r1, 4, 0;", -1)).isZero();
		assertThat(Snippet.int32("bfi.b32 %r0, %r1, %r2, 8, 8;", 0xab, 0x11111111)).isEqualTo(0x1111ab11);
		assertThat(Snippet.int64("bfi.b64 %d0, %d1, %d2, 32, 32;", 0xab, 0x11)).isEqualTo(0xab_00000011L);
		assertThat(Snippet.int64("bfi.b64 %d0, %d1, %d2, 0, 64;", -5, 0x11)).isEqualTo(-5);
	}

	@Test
	void bytesArePermuted() {
		assertThat(Snippet.int32("prmt.b32 %r0, %r1, %r2, 0x0123;", 0x44332211, 0)).isEqualTo(0x11223344);
		assertThat(Snippet.int32("prmt.b32 %r0, %r1, %r2, 0x7654;", 0, 0x44332211)).isEqualTo(0x44332211);
		assertThat(Snippet.int32("prmt.b32 %r0, %r1, %r2, 0x8888;", 0x80, 0)).isEqualTo(-1);
	}

	@Test
	void twoWordsAreShiftedAsOne() {
		for (int count : new int[] { 0, 1, 31 }) {
			long both = 0x12345678_9abcdef0L;
			assertThat(Snippet.int32("shf.l.wrap.b32 %r0, %r1, %r2, %r3;", 0x9abcdef0, 0x12345678, count))
				.isEqualTo((int) (both << count >>> 32));
			assertThat(Snippet.int32("shf.r.wrap.b32 %r0, %r1, %r2, %r3;", 0x9abcdef0, 0x12345678, count))
				.isEqualTo((int) (both >>> count));
		}
		assertThat(Snippet.int32("shf.r.clamp.b32 %r0, %r1, %r2, 40;", 0x9abcdef0, 0x12345678)).isEqualTo(0x12345678);
	}

	@Test
	void aTableSaysWhichBitsAreSet() {
		assertThat(Snippet.int32("lop3.b32 %r0, %r1, %r2, %r3, 0x96;", 0xff00, 0xf0f0, 0xcccc))
			.isEqualTo(0xff00 ^ 0xf0f0 ^ 0xcccc);
		assertThat(Snippet.int32("lop3.b32 %r0, %r1, %r2, %r3, 0xe8;", 0xff00, 0xf0f0, 0xcccc))
			.isEqualTo(0xff00 & 0xf0f0 | 0xff00 & 0xcccc | 0xf0f0 & 0xcccc);
	}

	@Test
	void comparisonsKnowOfSigns() {
		for (int a : INTS) {
			for (int b : INTS) {
				assertThat(Snippet.holds("setp.lt.s32 %p0, %r1, %r2;", a, b)).isEqualTo(a < b);
				assertThat(Snippet.holds("setp.le.s32 %p0, %r1, %r2;", a, b)).isEqualTo(a <= b);
				assertThat(Snippet.holds("setp.gt.u32 %p0, %r1, %r2;", a, b))
					.isEqualTo(Integer.compareUnsigned(a, b) > 0);
				assertThat(Snippet.holds("setp.hs.u32 %p0, %r1, %r2;", a, b))
					.isEqualTo(Integer.compareUnsigned(a, b) >= 0);
				assertThat(Snippet.holds("setp.eq.s32 %p0, %r1, %r2;", a, b)).isEqualTo(a == b);
				assertThat(Snippet.holds("setp.ne.s32 %p0|%p1, %r1, %r2; mov.pred %p0, %p1;", a, b)).isEqualTo(a == b);
			}
		}
	}

	@Test
	void comparisonsAreJoined() {
		assertThat(Snippet.holds("setp.eq.s32 %p1, %r1, 1; setp.lt.and.s32 %p0, %r2, 5, %p1;", 1, 4)).isTrue();
		assertThat(Snippet.holds("setp.eq.s32 %p1, %r1, 1; setp.lt.and.s32 %p0, %r2, 5, !%p1;", 1, 4)).isFalse();
		assertThat(Snippet.holds("setp.eq.s32 %p1, %r1, 1; setp.lt.or.s32 %p0, %r2, 5, %p1;", 0, 9)).isFalse();
		assertThat(Snippet.holds("setp.eq.s32 %p1, %r1, 1; setp.lt.xor.s32 %p0, %r2, 5, %p1;", 1, 4)).isFalse();
	}

}
