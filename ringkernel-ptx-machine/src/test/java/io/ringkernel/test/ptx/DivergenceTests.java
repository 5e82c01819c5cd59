package io.ringkernel.test.ptx;

import java.util.stream.LongStream;

import io.ringkernel.test.ptx.machine.PtxFault;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Lanes that part, meet, call and wait for each other.
 */
class DivergenceTests {

	@Test
	void lanesThatPartMeetBehindBothWays() {
		long[] results = Snippet.of("""
				and.b32 %r5, %tid, 1; setp.eq.s32 %p1, %r5, 0;
				@%p1 bra $even;
				mov.u32 %r6, 10; bra $both;
				$even: mov.u32 %r6, 20;
				$both: activemask.b32 %r7; st.global.v2.u32 [%mine], {%r6, %r7};
				""").run(32);
		assertThat(results[0]).isEqualTo(0xffffffff_00000014L);
		assertThat(results[1]).isEqualTo(0xffffffff_0000000aL);
	}

	@Test
	void eachLaneLeavesALoopByItself() {
		long[] results = Snippet.of("""
				mov.u32 %r5, 0; mov.u32 %r6, 0;
				$again: setp.ge.u32 %p1, %r5, %tid; @%p1 bra $done;
				add.s32 %r5, %r5, 1; add.s32 %r6, %r6, %r5; bra $again;
				$done: st.global.u32 [%mine], %r6;
				""").run(64);
		assertThat(results).containsExactly(LongStream.range(0, 64).map((lane) -> lane * (lane + 1) / 2).toArray());
	}

	/** The lane that spins stands at the lowest place. */
	@Test
	void aLaneThatSpinsUntilAnotherWritesDoesNotKeepItFromThat() {
		long[] results = Snippet.of("""
				setp.ne.s32 %p1, %tid, 0; @%p1 bra $write;
				$spin: ld.volatile.global.u64 %d5, [%out+248]; setp.eq.s64 %p2, %d5, 0; @%p2 bra $spin;
				st.global.u64 [%out], 1; ret;
				$write: st.volatile.global.u64 [%mine], 2;
				""").run(32);
		assertThat(results[0]).isEqualTo(1);
	}

	@Test
	void lanesTakeALockOneAfterAnother() {
		long[] results = Snippet.of(".shared .align 4 .u32 lock; .shared .align 4 .u32 count;", """
				setp.ne.s32 %p1, %tid, 0; @!%p1 st.shared.u32 [lock], 0; @!%p1 st.shared.u32 [count], 0;
				bar.sync 0;
				$take: atom.shared.cas.b32 %r5, [lock], 0, 1; setp.ne.s32 %p2, %r5, 0; @%p2 bra $take;
				ld.shared.u32 %r6, [count]; add.s32 %r6, %r6, 1; st.shared.u32 [count], %r6;
				membar.cta; atom.shared.exch.b32 %r5, [lock], 0;
				bar.sync 0;
				ld.shared.u32 %r6, [count]; st.global.u32 [%mine], %r6;
				""").run(70);
		assertThat(results).containsOnly(70);
	}

	@Test
	void aFunctionReturnsToWhereItsCallersCameFrom() {
		long[] results = Snippet.of("""
				.func (.param .b32 result) twice(.param .b32 value) {
				.reg .b32 %r<3>; ld.param.u32 %r1, [value]; add.s32 %r2, %r1, %r1; st.param.b32 [result+0], %r2; ret; }
				""", """
				setp.lt.u32 %p1, %tid, 2; @%p1 bra $low;
				{ .param .b32 in; .param .b32 out; st.param.b32 [in+0], %tid; call.uni (out), twice, (in);
				ld.param.b32 %r5, [out+0]; } bra $end;
				$low: add.s32 %r6, %tid, 100;
				{ .param .b32 in; .param .b32 out; st.param.b32 [in+0], %r6; call.uni (out), twice, (in);
				ld.param.b32 %r5, [out+0]; }
				$end: st.global.u32 [%mine], %r5;
				""").run(4);
		assertThat(results).containsExactly(200, 202, 4, 6);
	}

	@Test
	void aTableSaysWhereLanesGo() {
		long[] results = Snippet.of("""
				$table: .branchtargets $a, $b, $c;
				brx.idx %tid, $table;
				$a: mov.u32 %r5, 7; bra $end;
				$b: mov.u32 %r5, 8; bra $end;
				$c: mov.u32 %r5, 9;
				$end: st.global.u32 [%mine], %r5;
				""").run(3);
		assertThat(results).containsExactly(7, 8, 9);
	}

	@Test
	void aLoopThatDoesNotEndIsStopped() {
		assertThatExceptionOfType(PtxFault.class).isThrownBy(() -> Snippet.of("$for: bra $for;").run(1))
			.withMessageContaining("threads [0] of block 0 stand at bra in line")
			.satisfies((fault) -> assertThat(fault.kind()).isEqualTo(PtxFault.Kind.STEP_BUDGET));
	}

	@Test
	void aTrapIsReported() {
		assertThatExceptionOfType(PtxFault.class)
			.isThrownBy(() -> Snippet.of("setp.eq.s32 %p1, %tid, 3; @%p1 trap;").run(4))
			.withMessageContaining("thread 3 of block 0 executes a trap")
			.satisfies((fault) -> assertThat(fault.kind()).isEqualTo(PtxFault.Kind.TRAP));
	}

}
