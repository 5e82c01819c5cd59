package io.ringkernel.ring;

import java.util.List;

/**
 * Compares a slot with what the protocol allows.
 */
final class SlotJudge {

	private final RingLane requests;

	private final RingLane responses;

	private final RingLayout layout;

	private final List<String> violations;

	SlotJudge(RingLane requests, RingLane responses, RingLayout layout, List<String> violations) {
		this.requests = requests;
		this.responses = responses;
		this.layout = layout;
		this.violations = violations;
	}

	void judge(SlotDump slot) {
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

}
