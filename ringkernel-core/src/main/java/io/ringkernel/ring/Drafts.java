package io.ringkernel.ring;

import java.util.Arrays;
import java.util.concurrent.atomic.AtomicReferenceArray;

/**
 * The drafts of a ring. A thread prefers the one that its id selects, so it usually finds
 * a draft that is free and in its cache, and needs one compare-and-set to take it. If all
 * are taken, a new draft takes the place of the preferred one, which is left to the
 * garbage collector: its thread may have run out of stack before it gave it back.
 */
final class Drafts {

	private static final int PER_CORE = 2;

	private static final int LEAST = 4;

	private static final int MOST = 64;

	private final AtomicReferenceArray<Draft> drafts;

	private final int inlineBytes;

	Drafts(int inlineBytes) {
		this.inlineBytes = inlineBytes;
		int wanted = Runtime.getRuntime().availableProcessors() * PER_CORE;
		Draft[] first = new Draft[Integer.highestOneBit(Math.max(LEAST, Math.min(wanted, MOST)))];
		Arrays.setAll(first, (i) -> new Draft(inlineBytes));
		this.drafts = new AtomicReferenceArray<>(first);
	}

	/** A draft that is none of these: its thread shares it with no other. */
	Draft create() {
		return new Draft(this.inlineBytes);
	}

	Draft take() {
		int own = (int) Thread.currentThread().getId();
		int mask = this.drafts.length() - 1;
		for (int i = 0; i <= mask; i++) {
			Draft draft = this.drafts.getAcquire((own + i) & mask);
			if (draft.tryTake()) {
				return draft;
			}
		}
		Draft fresh = create();
		fresh.tryTake();
		this.drafts.setRelease(own & mask, fresh);
		return fresh;
	}

}
