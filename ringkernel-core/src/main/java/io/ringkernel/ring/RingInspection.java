package io.ringkernel.ring;

import java.util.ArrayList;
import java.util.List;

/**
 * Looks at a ring while it is in use. It only loads: it takes no lock, claims nothing and
 * writes nothing, so those at work notice no more than a cache line that another core has
 * read.
 * <p>
 * A slot is looked at twice, and the head in between. Positions and tags only grow, so
 * what is the same at both looks was so when the head was read, all of it at once. A slot
 * that changes on and on is shown, and not judged.
 */
final class RingInspection {

	private static final int LOOKS = 16;

	private final RingLayout layout;

	private final RingLane requests;

	private final RingLane responses;

	private final SkippedLaps skippedLaps;

	private final SlotClaims claims;

	private final SlotWords words;

	private final List<Integer> unsteady = new ArrayList<>();

	private final List<String> violations = new ArrayList<>();

	RingInspection(RingLayout layout, RingLane requests, RingLane responses, SkippedLaps skippedLaps, SlotClaims claims,
			SlotWords words) {
		this.layout = layout;
		this.requests = requests;
		this.responses = responses;
		this.skippedLaps = skippedLaps;
		this.claims = claims;
		this.words = words;
	}

	RingDump dump() {
		long head = this.claims.head();
		List<SlotDump> slots = new ArrayList<>(this.layout.slots());
		for (int slot = 0; slot < this.layout.slots(); slot++) {
			slots.add(look(slot));
		}
		return new RingDump(head, slots, this.unsteady, this.violations);
	}

	private SlotDump look(int slot) {
		Words words = read(slot);
		for (int look = 0; look < LOOKS; look++) {
			long head = this.claims.head();
			Words again = read(slot);
			if (words.equals(again)) {
				SlotDump dump = dump(slot, words, head);
				new SlotJudge(this.requests, this.responses, this.layout, this.violations).judge(dump);
				return dump;
			}
			words = again;
		}
		this.unsteady.add(slot);
		return dump(slot, words, this.claims.head());
	}

	private Words read(int slot) {
		return new Words(this.words.get(slot), this.requests.headerTag(slot), this.requests.length(slot),
				this.responses.headerTag(slot), this.responses.length(slot), this.responses.kind(slot),
				this.skippedLaps.range(slot));
	}

	private SlotDump dump(int slot, Words words, long head) {
		long position = this.words.position(slot, words.claim(), head);
		int tag = this.layout.tag(position);
		return new SlotDump(slot, state(words, position, tag, head), position, tag, words.requestTag(),
				words.requestLength(), words.responseTag(), words.responseLength(), words.responseKind(),
				(int) words.skippedLaps(), (int) (words.skippedLaps() >>> 32));
	}

	private static SlotState state(Words words, long position, int tag, long head) {
		if (SlotWords.isPassedOver(words.claim())) {
			return SlotState.PASSED_OVER;
		}
		if (position >= head) {
			return SlotState.FREE;
		}
		if (words.requestTag() != tag) {
			return SlotState.CLAIMED;
		}
		return (words.responseTag() == tag) ? SlotState.ANSWERED : SlotState.REQUESTED;
	}

	private record Words(int claim, int requestTag, int requestLength, int responseTag, int responseLength,
			int responseKind, long skippedLaps) {
	}

}
