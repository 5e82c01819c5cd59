package io.ringkernel.test.ptx;

import java.util.stream.LongStream;

import io.ringkernel.test.ptx.machine.PtxFault;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Barriers, shuffles and votes.
 */
class CooperationTests {

	@Test
	void lanesReadFromEachOther() {
		assertThat(shuffled("idx", "5", "31")).containsOnly(105);
		assertThat(shuffled("down", "1", "31")).startsWith(101, 102).endsWith(131, 131);
		assertThat(shuffled("up", "1", "0")).startsWith(100, 100, 101);
		assertThat(shuffled("bfly", "1", "31")).startsWith(101, 100, 103, 102);
	}

	@Test
	void lanesReadWithinTheirSegment() {
		// Segments of eight lanes.
		assertThat(shuffled("down", "4", "0x1807")).startsWith(104, 105, 106, 107, 104);
		assertThat(shuffled("idx", "0", "0x181f")).startsWith(100).endsWith(124);
	}

	private static long[] shuffled(String mode, String selector, String bounds) {
		return Snippet.of("""
				add.s32 %%r5, %%tid, 100;
				shfl.sync.%s.b32 %%r6|%%p1, %%r5, %s, %s, -1; st.global.u32 [%%mine], %%r6;
				""".formatted(mode, selector, bounds)).run(32);
	}

	@Test
	void aLaneKnowsWhetherItReadFromAnother() {
		long[] results = Snippet.of("""
				shfl.sync.down.b32 %r6|%p1, %tid, 1, 31, -1; selp.b32 %r6, 1, 0, %p1; st.global.u32 [%mine], %r6;
				""").run(32);
		assertThat(results[30]).isEqualTo(1);
		assertThat(results[31]).isZero();
	}

	@Test
	void lanesVote() {
		long[] results = Snippet.of("""
				setp.lt.u32 %p1, %tid, 3;
				vote.sync.ballot.b32 %r5, %p1, -1;
				vote.sync.any.pred %p2, %p1, -1; vote.sync.all.pred %p3, %p1, -1;
				selp.b32 %r6, 0x100, 0, %p2; or.b32 %r5, %r5, %r6;
				selp.b32 %r6, 0x200, 0, %p3; or.b32 %r5, %r5, %r6;
				st.global.u32 [%mine], %r5;
				""").run(32);
		assertThat(results).containsOnly(0x107);
	}

	@Test
	void lanesFindThoseWithTheSameValue() {
		long[] results = Snippet.of("""
				and.b32 %r5, %tid, 1; match.any.sync.b32 %r6, %r5, -1; st.global.u32 [%mine], %r6;
				""").run(32);
		assertThat(results).startsWith(0x55555555L, 0xaaaaaaaaL);
	}

	/** Each half waits for itself alone, at an instruction of its own. */
	@Test
	void partsOfAWarpMeetApart() {
		long[] results = Snippet.of("""
				setp.lt.u32 %p1, %tid, 16; @%p1 bra $low;
				shfl.sync.idx.b32 %r5, %tid, 20, 31, 0xffff0000; bra $end;
				$low: shfl.sync.idx.b32 %r5, %tid, 3, 31, 0x0000ffff;
				$end: bar.warp.sync -1; st.global.u32 [%mine], %r5;
				""").run(32);
		assertThat(LongStream.of(results).limit(16)).containsOnly(3L);
		assertThat(LongStream.of(results).skip(16)).containsOnly(20L);
	}

	@Test
	void aBarrierWaitsForAsManyThreadsAsItSays() {
		long[] results = Snippet.of(".shared .align 4 .u32 word;", """
				setp.ge.u32 %p1, %tid, 64; @%p1 bra $others;
				setp.eq.s32 %p2, %tid, 63; @%p2 st.shared.u32 [word], 5;
				barrier.sync 1, 64; ld.shared.u32 %r5, [word]; st.global.u32 [%mine], %r5; ret;
				$others: barrier.sync 2, 32;
				""").run(96);
		assertThat(LongStream.of(results).limit(64)).containsOnly(5L);
	}

	@Test
	void threadsVoteAtABarrier() {
		long[] results = Snippet.of("""
				setp.eq.s32 %p1, %tid, 63; barrier.red.or.pred %p2, 1, 64, %p1; barrier.red.and.pred %p3, 1, 64, %p1;
				selp.b32 %r5, 1, 0, %p2; selp.b32 %r6, 2, 0, %p3; add.s32 %r5, %r5, %r6; st.global.u32 [%mine], %r5;
				""").run(64);
		assertThat(results).containsOnly(1);
	}

	@Test
	void aThreadThatHasEndedIsNotWaitedFor() {
		assertThat(Snippet.of("setp.eq.s32 %p1, %tid, 1; @%p1 exit; bar.sync 0; st.global.u32 [%mine], 1;").run(33))
			.startsWith(1, 0, 1);
	}

	@Test
	void aBarrierThatNotAllReachIsReportedWithThoseWhoWait() {
		assertThatExceptionOfType(PtxFault.class)
			.isThrownBy(() -> Snippet.of("setp.eq.s32 %p1, %tid, 1; @%p1 exit; barrier.sync 3, 32;").run(32))
			.withMessageContaining("all threads wait for others; threads [0, 2, 3,")
			.withMessageContaining("barrier 3 of block 0 has 31 of 32 threads")
			.satisfies((fault) -> assertThat(fault.kind()).isEqualTo(PtxFault.Kind.DEADLOCK));
	}

	@Test
	void aLaneThatDoesNotShuffleWithItsMembersIsReported() {
		assertThatExceptionOfType(PtxFault.class)
			.isThrownBy(() -> Snippet.of("setp.eq.s32 %p1, %tid, 1; @%p1 exit; shfl.sync.idx.b32 %r5, %tid, 0, 31, -1;")
				.run(32))
			.withMessageContaining("stand at shfl.sync.idx.b32")
			.satisfies((fault) -> assertThat(fault.kind()).isEqualTo(PtxFault.Kind.DEADLOCK));
	}

}
