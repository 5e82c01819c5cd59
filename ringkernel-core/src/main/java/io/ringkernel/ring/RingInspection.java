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
		return new RingDump(head, List.copyOf(slots), List.copyOf(this.unsteady), List.copyOf(this.violations));
	}

	private SlotDump look(int slot) {
		Words words = read(slot);
		for (int look = 0; look < LOOKS; look++) {
			long head = this.claims.head();
			Words again = read(slot);
			if (words.equals(again)) {
				SlotDump dump = dump(slot, words, head);
				judge(dump);
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

	private void judge(SlotDump slot) {
		if (this.layout.slot(slot.position()) != slot.slot()) {
			report(slot, "it is claimed for position %d, which belongs to slot %d".formatted(slot.position(),
					this.layout.slot(slot.position())));
			return;
		}
		judgeTags(slot);
		judgeMessages(slot);
		if (LapTag.isLater(slot.firstSkippedTag(), slot.lastSkippedTag())) {
			report(slot, "its range of skipped laps ends with tag %d before it begins with tag %d"
				.formatted(slot.lastSkippedTag(), slot.firstSkippedTag()));
		}
	}

	private void judgeTags(SlotDump slot) {
		switch (slot.state()) {
			case FREE -> {
				if (slot.requestTag() != slot.responseTag()) {
					report(slot, "it is free, but its last request has tag %d and its last response tag %d"
						.formatted(slot.requestTag(), slot.responseTag()));
				}
				notBeyond(slot, tagBefore(slot));
			}
			case CLAIMED -> {
				if (slot.responseTag() == slot.tag()) {
					report(slot,
							"position %d was answered, but its request was never published".formatted(slot.position()));
				}
				notBeyond(slot, slot.tag());
			}
			case REQUESTED, ANSWERED -> notBeyond(slot, slot.tag());
			case PASSED_OVER -> notBeyond(slot, tagBefore(slot));
		}
	}

	private int tagBefore(SlotDump slot) {
		return this.layout.tag(slot.position() - this.layout.slots());
	}

	private void notBeyond(SlotDump slot, int last) {
		if (isBeyond(slot.requestTag(), last)) {
			report(slot, "it has a request of tag %d, and nothing later than tag %d was claimed"
				.formatted(slot.requestTag(), last));
		}
		if (isBeyond(slot.responseTag(), last)) {
			report(slot, "it has a response of tag %d, and nothing later than tag %d was claimed"
				.formatted(slot.responseTag(), last));
		}
	}

	private static boolean isBeyond(int tag, int last) {
		return tag != LapTag.NONE && LapTag.isLater(tag, last);
	}

	/**
	 * A length is only judged while no thread may write it: the next message of a slot
	 * comes after the slot was freed.
	 */
	private void judgeMessages(SlotDump slot) {
		boolean requested = slot.state() == SlotState.REQUESTED || slot.state() == SlotState.ANSWERED;
		if (requested && !this.requests.isValid(slot.requestLength())) {
			report(slot, "its request states a length of %d B, and the limit is %d B".formatted(slot.requestLength(),
					this.requests.maxBytes()));
		}
		if (slot.state() == SlotState.ANSWERED) {
			if (!this.responses.isValid(slot.responseLength())) {
				report(slot, "its response states a length of %d B, and the limit is %d B"
					.formatted(slot.responseLength(), this.responses.maxBytes()));
			}
			if (MessageKind.of(slot.responseKind()) == null) {
				report(slot, "its response states the unknown kind %d; known are 0 to %d".formatted(slot.responseKind(),
						MessageKind.values().length - 1));
			}
		}
	}

	private void report(SlotDump slot, String problem) {
		this.violations.add("Slot %d: %s.".formatted(slot.slot(), problem));
	}

	private record Words(int claim, int requestTag, int requestLength, int responseTag, int responseLength,
			int responseKind, long skippedLaps) {
	}

}
