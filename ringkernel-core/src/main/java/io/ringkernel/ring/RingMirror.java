package io.ringkernel.ring;

import java.nio.ByteBuffer;
import java.util.Arrays;

import io.ringkernel.message.buffer.MessageBuffer;

/**
 * The host's half of a ring as another process can know it: which positions are claimed
 * and which are given back, read off the ring. A loop that runs in a process of its own
 * finds in it what it would ask the host's half for: whether there is a request, and
 * where to begin.
 * <p>
 * <strong>It lags, and never runs ahead.</strong> A position counts as claimed once its
 * request is there, or a mark that it was skipped; and as given back once it is answered,
 * or its slot holds a later request. So what is in flight here and unanswered is in
 * flight at the host. A request that is published before one of an earlier position is
 * seen together with that.
 * <p>
 * It only loads from the ring. For one thread at a time; {@link #ring} is for any.
 *
 * @since 0.2.0
 */
public final class RingMirror {

	private static final long NONE = -1;

	private final RingLayout layout;

	private final DeviceRing device;

	private final HostRing ring;

	/** By slot, the position that holds it. */
	private final long[] held;

	private int heldSlots;

	/**
	 * Creates the mirror of a ring.
	 * @param memory the memory of the ring
	 * @param layout where the ring lies in it
	 * @param head the head of the ring: of a ring that nothing was sent through yet, its
	 * first position
	 * @param unanswered the positions before it that are unanswered
	 */
	public RingMirror(MessageBuffer memory, RingLayout layout, long head, long[] unanswered) {
		this.layout = layout;
		this.device = new DeviceRing(memory, layout, 0);
		// The skipped laps of the ring have one writer, which is not this process.
		MessageBuffer own = MessageBuffer.wrap(ByteBuffer.allocateDirect(layout.skippedLapsOffset(layout.slots())));
		this.ring = new HostRing(memory, layout, head, new SkippedLaps(own, layout));
		this.held = new long[layout.slots()];
		Arrays.fill(this.held, NONE);
		for (long position : unanswered) {
			this.ring.hold(position);
			this.held[layout.slot(position)] = position;
			this.heldSlots++;
		}
	}

	/**
	 * What is known of the host's half. Nothing is claimed or published through it.
	 * @return the half
	 */
	public HostRing ring() {
		return this.ring;
	}

	/**
	 * Looks at the ring, for a lap at most behind what is done.
	 * @return whether there are requests that the look before did not find, or more to
	 * look at
	 */
	public boolean look() {
		catchUp(this.ring.claims().head());
		boolean found = false;
		boolean more = true;
		for (int looks = 0; more && looks < this.held.length; looks++) {
			long position = this.ring.claims().head();
			switch (this.device.poll(position)) {
				case ABSENT -> more = false;
				case PRESENT, WITHDRAWN -> {
					claim(position);
					found = true;
				}
				case SKIPPED -> skip(position);
			}
		}
		giveBackAnswered();
		return found || more;
	}

	/**
	 * Passes laps at once that lie behind in every slot. A kernel that polls answers more
	 * than one look after another would see: without this, the requests behind a long
	 * stream waited for many seconds until a look had come to them. A request that is
	 * published in a slot tells that all laps before it are done there.
	 */
	private void catchUp(long head) {
		int laps = Integer.MAX_VALUE;
		for (int i = 0; i < this.held.length && laps > 0; i++) {
			laps = Math.min(laps, this.device.lapsBehind(head + i));
		}
		if (laps > 0) {
			for (int slot = 0; slot < this.held.length; slot++) {
				giveBack(slot);
			}
			this.ring.claims().passLaps(laps);
		}
	}

	private void giveBackAnswered() {
		for (int slot = 0; slot < this.held.length && this.heldSlots > 0; slot++) {
			if (this.held[slot] != NONE && this.ring.responses().isAnswered(this.held[slot])) {
				giveBack(slot);
			}
		}
	}

	private void giveBack(int slot) {
		long position = this.held[slot];
		if (position != NONE) {
			this.held[slot] = NONE;
			this.heldSlots--;
			this.ring.claims().free(position);
		}
	}

	/** Whatever held the slot before is done, since it was claimed again. */
	private void claim(long position) {
		int slot = this.layout.slot(position);
		giveBack(slot);
		this.ring.claims().tryClaim();
		this.held[slot] = position;
		this.heldSlots++;
	}

	/** A position that is void, or done and overtaken by a later request of its slot. */
	private void skip(long position) {
		int slot = this.layout.slot(position);
		if (this.held[slot] != NONE) {
			this.ring.passOver();
		}
		else {
			this.ring.claims().free(this.ring.claims().tryClaim());
		}
	}

}
