package io.ringkernel.ring;

import io.ringkernel.message.buffer.MessageBuffer;

/**
 * The host's half of a ring. A caller {@linkplain HostRequests#encode encodes} a request,
 * {@linkplain SlotClaims claims} a position, {@linkplain HostRequests#publish publishes}
 * the request at it, waits until it is {@linkplain HostResponses answered}, reads the
 * response and {@linkplain SlotClaims#release releases} the slot. Any number of threads
 * do; a position belongs to the thread that claimed it until it is released.
 * <p>
 * A request in slot <i>i</i> is answered in slot <i>i</i>. So what is in flight never
 * exceeds the slots, a response always has its place, and responses are taken in any
 * order.
 *
 * @since 0.1.0
 */
public final class HostRing {

	private final RingLayout layout;

	private final RingLane requestLane;

	private final RingLane responseLane;

	private final SkippedLaps skippedLaps;

	private final SlotWords slots;

	private final SlotPassing passing;

	private final Drafts drafts;

	private final SlotClaims claims;

	private final ContendedClaims contendedClaims;

	private final SlotsInFlight inFlight;

	private final HostRequests requests;

	private final HostResponses responses;

	/**
	 * Creates the host's half over fresh, zeroed memory.
	 * @param memory the memory
	 * @param layout where the ring lies in it
	 * @param startPosition the first position; 0, or a multiple of the slots that the
	 * device half starts at as well
	 */
	public HostRing(MessageBuffer memory, RingLayout layout, long startPosition) {
		this(memory, layout, startPosition, new SkippedLaps(memory, layout));
	}

	HostRing(MessageBuffer memory, RingLayout layout, long startPosition, SkippedLaps skippedLaps) {
		this.layout = layout;
		this.requestLane = new RingLane(memory, layout.requests());
		this.responseLane = new RingLane(memory, layout.responses());
		this.skippedLaps = skippedLaps;
		this.slots = new SlotWords(layout, startPosition);
		this.drafts = new Drafts(Math.max(layout.requests().inlineBytes(), layout.responses().inlineBytes()));
		ClaimHead head = new ClaimHead(startPosition);
		ParkedProducers parked = new ParkedProducers(layout.slots());
		this.claims = new SlotClaims(layout, head, this.slots, parked);
		this.passing = new SlotPassing(layout, this.claims, skippedLaps, head, this.slots, parked);
		this.contendedClaims = new ContendedClaims(layout, this.claims, this.slots, this.passing, parked);
		this.inFlight = new SlotsInFlight(layout, head, this.slots, this.passing);
		this.requests = new HostRequests(layout, this.requestLane, this.responseLane, this.slots, skippedLaps,
				this.drafts, startPosition);
		this.responses = new HostResponses(layout, this.responseLane, this.drafts);
	}

	/**
	 * {@return where producers claim free positions, and slots are given back}
	 */
	public SlotClaims claims() {
		return this.claims;
	}

	/**
	 * {@return where producers claim positions if the next slot is busy}
	 */
	public ContendedClaims contendedClaims() {
		return this.contendedClaims;
	}

	/**
	 * {@return what is claimed and not given back}
	 */
	public SlotsInFlight inFlight() {
		return this.inFlight;
	}

	/**
	 * {@return the requests}
	 */
	public HostRequests requests() {
		return this.requests;
	}

	/**
	 * {@return the responses}
	 */
	public HostResponses responses() {
		return this.responses;
	}

	/**
	 * {@return a draft for one thread at a time, which is shared with no other}
	 * @since 0.2.0
	 */
	public Draft draft() {
		return this.drafts.create();
	}

	/**
	 * {@return what one thread at a time writes and reads messages in the slots with}
	 * @since 0.2.0
	 */
	public SlotMessages messages() {
		return new SlotMessages(this.layout, this.requests, this.requestLane, this.responseLane);
	}

	/**
	 * Writes the words of skipped laps anew, whatever the loop before has stored there.
	 * To be called while no loop serves the ring.
	 */
	public void rewriteSkipped() {
		this.passing.rewriteSkipped();
	}

	/**
	 * {@return what lies in this ring, by loads alone, while it is in use or not}
	 */
	public RingDump dump() {
		return new RingInspection(this.layout, this.requestLane, this.responseLane, this.skippedLaps, this.claims,
				this.slots)
			.dump();
	}

	/**
	 * {@return the layout of this ring}
	 */
	public RingLayout layout() {
		return this.layout;
	}

	/** Has an earlier position hold its slot, while the ring is not yet in use. */
	void hold(long position) {
		long head = this.claims.head();
		int slot = this.layout.slot(position);
		long next = head + ((slot - head) & (this.layout.slots() - 1));
		this.slots.hold(position, next);
		this.skippedLaps.cover(slot, this.layout.tag(position + this.layout.slots()),
				this.layout.tag(next - this.layout.slots()));
	}

	/** For one thread at a time. */
	void passOver() {
		this.passing.passOverNext();
	}

}
