package io.ringkernel.test.ptx;

import io.ringkernel.test.ptx.machine.PtxFault;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Loads, stores and atomic updates.
 */
class MemoryInstructionTests {

	private static final String SHARED = ".shared .align 16 .b8 box[64];";

	@Test
	void smallElementsAreExtendedWhenTheyAreLoaded() {
		String store = "st.global.u32 [%mine], -2; ";
		assertThat(Snippet.int64(store + "ld.global.s8 %d0, [%mine];")).isEqualTo(-2);
		assertThat(Snippet.int64(store + "ld.global.u8 %d0, [%mine];")).isEqualTo(0xfe);
		assertThat(Snippet.int64(store + "ld.global.u16 %d0, [%mine+0];")).isEqualTo(0xfffe);
		assertThat(Snippet.int64(store + "ld.global.u32 %d0, [%mine];")).isEqualTo(0xfffffffeL);
	}

	@Test
	void elementsSideBySideMoveTogether() {
		long[] results = Snippet.of("""
				mov.u32 %r5, 5; mov.u32 %r6, 6; mov.u32 %r7, 7;
				st.global.v4.u32 [%out], {%r1, %r5, %r6, %r7};
				ld.global.v2.u64 {%d5, %d6}, [%out];
				st.global.v2.u64 [%out+16], {%d6, %d5};
				st.volatile.global.v2.u32 [%out], {%r7, %r7};
				""").run(4, 9);
		assertThat(results).containsExactly(0x7_00000007L, 0x7_00000006L, 0x7_00000006L, 0x5_00000009L);
	}

	@Test
	void sixteenBytesMoveAtOnce() {
		long[] results = Snippet.of("""
				{ .reg .b128 t; mov.b128 t, {%d1, %d2}; st.relaxed.sys.global.b128 [%out], t; }
				{ .reg .b128 t; ld.relaxed.sys.global.b128 t, [%out]; mov.b128 {%d5, %d6}, t; }
				add.s64 %d5, %d5, %d6; st.global.u64 [%out], %d5;
				""").run(2, 3, 4);
		assertThat(results).containsExactly(7, 4);
	}

	@Test
	void sharedMemoryIsThatOfTheBlock() {
		long[] results = Snippet.of(SHARED, """
				mov.u32 %r5, box; mad.lo.s32 %r6, %tid, 4, %r5;
				st.shared.u32 [%r6], %tid;
				bar.sync 0;
				ld.shared.u32 %r7, [box+8];
				mov.u64 %d5, box; cvta.shared.u64 %d6, %d5; ld.u32 %r8, [%d6+12];
				add.s32 %r7, %r7, %r8; st.global.u32 [%mine], %r7;
				""").run(4);
		assertThat(results).containsOnly(2 + 3);
	}

	@Test
	void anAddressTellsWhetherItLeadsToSharedMemory() {
		assertThat(Snippet.of(".shared .align 4 .b8 box[16];", """
				mov.u64 %d5, box; cvta.shared.u64 %d6, %d5; isspacep.shared %p1, %d6;
				add.u64 %d6, %d6, 16; isspacep.shared %p2, %d6; isspacep.shared %p3, %mine;
				selp.u32 %r5, 1, 0, %p1; selp.u32 %r6, 2, 0, %p2; selp.u32 %r7, 4, 0, %p3;
				add.u32 %r5, %r5, %r6; add.u32 %r5, %r5, %r7; st.global.u32 [%mine], %r5;
				""").run(2)).containsOnly(1);
	}

	@Test
	void localMemoryIsThatOfTheThread() {
		long[] results = Snippet.of("""
				.local .align 8 .b8 stack[16];
				st.local.u32 [stack+8], %tid;
				mov.u64 %d5, stack; cvta.local.u64 %d6, %d5;
				ld.u32 %r5, [%d6+8]; st.global.u32 [%mine], %r5;
				""").run(3);
		assertThat(results).containsExactly(0, 1, 2);
	}

	@Test
	void variablesBeginAsTheTextSays() {
		assertThat(Snippet.of(".global .align 4 .u32 table[3] = {7, 8};", """
				ld.global.u32 %r5, [table+4]; ld.global.u32 %r6, [table+8];
				add.s32 %r5, %r5, %r6; st.global.u32 [%mine], %r5;
				""").run(1)).containsExactly(8);
	}

	@ParameterizedTest
	@CsvSource({ "add.u32, 5, 3, 8", "exch.b32, 5, 3, 3", "min.s32, -5, 3, -5", "min.u32, -5, 3, 3",
			"max.s32, -5, 3, 3", "and.b32, 6, 3, 2", "or.b32, 6, 3, 7", "xor.b32, 6, 3, 5", "inc.u32, 3, 3, 0",
			"inc.u32, 2, 3, 3", "dec.u32, 0, 3, 3", "dec.u32, 2, 3, 1" })
	void anAtomicUpdateReturnsWhatWasThere(String operation, int before, int operand, int after) {
		long[] results = Snippet.of("""
				st.global.u32 [%%out], %%r1;
				atom.global.%s %%r5, [%%out], %%r2;
				st.global.u32 [%%out+4], %%r5;
				""".formatted(operation)).run(1, before, operand);
		assertThat((int) results[0]).isEqualTo(after);
		assertThat((int) (results[0] >>> 32)).isEqualTo(before);
	}

	@Test
	void anAtomicUpdateOfAllLanesLosesNone() {
		assertThat(Snippet.of("red.global.add.u64 [%out], 1;").run(100)[0]).isEqualTo(100);
		assertThat(Snippet.of("cvt.rn.f32.u32 %f0, %tid; red.global.add.f32 [%out], %f0;").run(32)[0])
			.isEqualTo(Float.floatToRawIntBits(31 * 32 / 2));
	}

	@Test
	void onlyTheExpectedValueIsReplaced() {
		long[] results = Snippet.of("atom.global.cas.b32 %r5, [%out], %tid, 100; st.global.u32 [%mine+4], %r5;").run(3);
		assertThat((int) results[0]).isEqualTo(100);
		assertThat(results[2] >>> 32).isEqualTo(100);
	}

	@Test
	void anAccessBehindTheEndNamesTheAllocationAndTheLine() {
		assertThatExceptionOfType(PtxFault.class)
			.isThrownBy(() -> Snippet.of("add.s64 %d5, %mine, 8; st.global.u32 [%d5], %tid;").run(3))
			.withMessageMatching("thread 2 of block 0 writes 4 bytes at 0x\\w+: byte 24 of the results, which has 24 "
					+ "\\(st.global.u32 in line \\d+\\)")
			.satisfies((fault) -> assertThat(fault.kind()).isEqualTo(PtxFault.Kind.OUT_OF_BOUNDS));
	}

	@Test
	void anAccessBeforeTheBeginningNeverReachesAnotherAllocation() {
		assertThatExceptionOfType(PtxFault.class).isThrownBy(() -> Snippet.of("ld.global.u32 %r0, [%out+-4];").run(1))
			.satisfies((fault) -> assertThat(fault.kind()).isEqualTo(PtxFault.Kind.OUT_OF_BOUNDS));
		assertThatExceptionOfType(PtxFault.class).isThrownBy(() -> Snippet.of("ld.u32 %r0, [%d1];").run(1, 0))
			.withMessageContaining("nothing was ever allocated there");
	}

	@Test
	void sharedMemoryEndsWhereItEnds() {
		assertThatExceptionOfType(PtxFault.class)
			.isThrownBy(() -> Snippet.of(SHARED, "ld.shared.u32 %r0, [box+64];").run(1))
			.withMessageContaining("byte 64 of the shared memory of block 0, which has 64");
	}

	@Test
	void anAddressIsAMultipleOfTheSizeOfTheAccess() {
		assertThatExceptionOfType(PtxFault.class).isThrownBy(() -> Snippet.of("ld.global.u32 %r0, [%out+2];").run(1))
			.withMessageContaining("no multiple of 4")
			.satisfies((fault) -> assertThat(fault.kind()).isEqualTo(PtxFault.Kind.MISALIGNED));
	}

}
