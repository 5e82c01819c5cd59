package io.ringkernel.test.ptx;

import io.ringkernel.test.ptx.machine.PtxFault;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Which accesses of several threads are reported.
 */
class RaceTests {

	private static final String WORDS = ".shared .align 4 .b8 words[512];";

	/** Each thread writes a word, and has the address of the next thread's in %r7. */
	private static final String WRITE = """
			mov.u32 %r5, words; mad.lo.s32 %r6, %tid, 4, %r5; st.shared.u32 [%r6], %tid;
			add.s32 %r7, %tid, 1; and.b32 %r7, %r7, 63; mad.lo.s32 %r7, %r7, 4, %r5;
			""";

	private static final String READ = "ld.shared.u32 %r8, [%r7]; st.global.u32 [%mine], %r8;";

	@Test
	void aLaneThatReadsWhatAnotherHasWrittenWithoutABarrierIsReported() {
		assertThat(Snippet.of(WORDS, WRITE + READ).races(32)).singleElement().satisfies((race) -> {
			assertThat(race.kind()).isEqualTo(PtxFault.Kind.RACE);
			assertThat(race).hasMessageMatching(
					"thread 0 of block 0 reads byte 4 of the shared memory of block 0, which has 512, which thread 1"
							+ " has written \\(st.shared.u32 in line \\d+\\) since they met last"
							+ " \\(ld.shared.u32 in line \\d+\\)");
		});
	}

	@Test
	void lanesThatHaveMetSinceAreNot() {
		assertThat(Snippet.of(WORDS, WRITE + "bar.warp.sync -1;" + READ).races(32)).isEmpty();
	}

	@Test
	void lanesThatHaveExchangedValuesSinceAreReported() {
		assertThat(Snippet.of(WORDS, WRITE + "shfl.sync.idx.b32 %r9, %tid, 0, 31, -1;" + READ).races(32)).hasSize(1);
		assertThat(Snippet.of(WORDS, WRITE + "vote.sync.ballot.b32 %r9, %p1, -1;" + READ).races(32)).hasSize(1);
	}

	@Test
	void warpsThatHaveNotMetAreReported() {
		assertThat(Snippet.of(WORDS, WRITE + "bar.warp.sync -1;" + READ).races(64)).hasSize(2);
		assertThat(Snippet.of(WORDS, WRITE + "bar.sync 0;" + READ).races(64)).isEmpty();
	}

	@Test
	void aLaneThatWritesWhatAnotherHasReadIsReported() {
		assertThat(Snippet.of(WORDS, WRITE + "bar.warp.sync -1; ld.shared.u32 %r8, [%r7]; st.shared.u32 [%r6], %r8;")
			.races(32)).singleElement().asString().contains("writes", "has read");
	}

	@Test
	void lanesThatWriteTheSameWordAreReported() {
		assertThat(Snippet.of("add.s32 %r5, %tid, 1; st.global.u32 [%out], %r5;").races(2)).singleElement()
			.asString()
			.contains("thread 1 of block 0 writes byte 0 of the results", "which thread 0 has written");
	}

	@Test
	void lanesThatWriteTheSameAreNot() {
		assertThat(Snippet.of("st.global.u32 [%out], 5;").races(32)).isEmpty();
	}

	@Test
	void atomicAndVolatileAccessesAreNot() {
		assertThat(Snippet.of("atom.global.add.u32 %r5, [%out], 1; ld.volatile.global.u32 %r5, [%out];").races(32))
			.isEmpty();
	}

	@Test
	void partsOfAWarpMeetApart() {
		String apart = """
				setp.lt.u32 %p1, %tid, 16; @%p1 bra $low; bar.warp.sync 0xffff0000; bra $end;
				$low: bar.warp.sync 0x0000ffff;
				$end:
				""";
		assertThat(Snippet.of(WORDS, WRITE + apart + READ).races(32)).singleElement()
			.asString()
			.contains("thread 15 of block 0 reads", "which thread 16 has written");
	}

	@Test
	void warpsThatHaveMetThroughAThirdAreNot() {
		String chain = """
				setp.lt.u32 %p1, %tid, 32; setp.ge.u32 %p2, %tid, 64; mov.u32 %r5, words;
				@%p1 st.shared.u32 [%r5], 7;
				@%p2 bra $last; bar.sync 1, 64; @%p1 bra $end; bar.sync 2, 64; bra $end;
				$last: bar.sync 2, 64; ld.shared.u32 %r8, [%r5]; st.global.u32 [%mine], %r8;
				$end:
				""";
		assertThat(Snippet.of(WORDS, chain).races(96)).isEmpty();
		assertThat(Snippet.of(WORDS, chain.replace("bar.sync 1, 64;", "")).races(96)).hasSize(1);
	}

	@Test
	void lanesThatHaveEndedHaveNotMetTheOthers() {
		String ends = "setp.ge.u32 %p1, %tid, 16; @%p1 exit; bar.warp.sync 0x0000ffff;";
		assertThat(Snippet.of(WORDS, WRITE + ends + READ).races(32)).singleElement()
			.asString()
			.contains("thread 15 of block 0 reads", "which thread 16 has written");
	}

}
