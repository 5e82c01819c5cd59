package io.ringkernel.ring;

import java.util.Arrays;

import io.ringkernel.CorruptMessageException;
import io.ringkernel.message.ArraysAhead;
import io.ringkernel.message.FrameBuffer;
import io.ringkernel.message.MessageBuffer;
import io.ringkernel.message.MessageLayout;
import org.jspecify.annotations.Nullable;

/**
 * The host's half of a ring: claim a position, publish a request at it, wait until it is
 * answered, read the response, release the slot. Any number of threads; a position
 * belongs to the thread that claimed it until it is released.
 * <p>
 * A request in slot <i>i</i> is answered in slot <i>i</i>. So what is in flight never
 * exceeds the slots, a response always has its place, and responses are taken in any
 * order.
 *
 * @since 0.1.0
 */
public final class HostRing {

	/** What {@link #claim} returns where no slot is free. */
	public static final long NO_SLOT = SlotClaims.BUSY;

	private final RingLayout layout;

	private final RingLane requests;

	private final RingLane responses;

	private final SkippedLaps skippedLaps;

	private final SlotClaims claims;

	private final Drafts drafts;

	/** The half of the tag space in which each slot was last used; see {@link LapTag}. */
	private final byte[] halves;

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

	/**
	 * Creates a half that notes skipped laps where it is told.
	 */
	HostRing(MessageBuffer memory, RingLayout layout, long startPosition, SkippedLaps skippedLaps) {
		this.layout = layout;
		this.requests = new RingLane(memory, layout.requests());
		this.responses = new RingLane(memory, layout.responses());
		this.skippedLaps = skippedLaps;
		this.claims = new SlotClaims(layout, this.skippedLaps, startPosition);
		this.drafts = new Drafts(Math.max(layout.requests().inlineBytes(), layout.responses().inlineBytes()));
		this.halves = new byte[layout.slots()];
		Arrays.fill(this.halves, (byte) LapTag.half(layout.tag(startPosition)));
	}

	/**
	 * Claims the next position if its slot is free now.
	 * @return the position, or {@link #NO_SLOT}: other slots may be free all the same
	 */
	public long tryClaim() {
		return this.claims.tryClaim();
	}

	/**
	 * Claims a position if any slot is free now, passing over those that are not.
	 * @return the position, or {@link #NO_SLOT}
	 */
	public long tryClaimAny() {
		return this.claims.tryClaimPassingOver();
	}

	/**
	 * Has a position hold its slot that was claimed before the first one of this half.
	 */
	void hold(long position) {
		this.claims.hold(position);
	}

	/**
	 * Declares the next position void if its slot is held by an earlier one.
	 */
	void passOver() {
		this.claims.passOverNext();
	}

	/**
	 * Goes on as many laps later. All slots are free, and no other thread claims.
	 */
	void passLaps(int laps) {
		this.claims.passLaps(laps);
	}

	/**
	 * Claims a position, waiting for a free slot until a deadline.
	 * @param deadline the {@link System#nanoTime} to give up at
	 * @param strategy how to wait
	 * @return the position, or {@link #NO_SLOT} if no slot became free
	 * @throws InterruptedException if the thread was interrupted
	 */
	public long claim(long deadline, WaitStrategy strategy) throws InterruptedException {
		return this.claims.claim(deadline, strategy);
	}

	/**
	 * How many positions, from the next one on, have a free slot now.
	 * @param head the {@link #head}
	 * @param most where to stop counting
	 * @return a count from 0 to {@code most}
	 * @since 0.2.0
	 */
	public int countFree(long head, int most) {
		return this.claims.countFree(head, most);
	}

	/**
	 * Claims positions in a row whose slots were seen to be free.
	 * @param head the first position
	 * @param count how many; not more than {@link #countFree} has found from there
	 * @return whether all of them are claimed; otherwise none is, because another thread
	 * was faster
	 * @since 0.2.0
	 */
	public boolean tryClaimRun(long head, int count) {
		return this.claims.tryClaimRun(head, count);
	}

	/**
	 * Makes a draft for one thread at a time, which takes it from nobody and gives it
	 * back to nobody.
	 * @return the draft, for {@link #encode(Draft, Record, MessageLayout)}
	 * @since 0.2.0
	 */
	public Draft draft() {
		return this.drafts.create();
	}

	/**
	 * Encodes a request as {@link #encode(Record, MessageLayout)} does, into a draft of
	 * the caller's own.
	 * @param <T> the type of the request
	 * @param own the draft
	 * @param message the request
	 * @param messages the layout of requests
	 * @throws io.ringkernel.InvalidMessageException if the request does not fit its
	 * layout
	 * @since 0.2.0
	 */
	public <T extends Record> void encode(Draft own, T message, MessageLayout<T> messages) {
		own.encode(this.requests, message, messages);
	}

	/**
	 * Publishes a request of a {@linkplain MessageLayout#isPacked packed} layout at a
	 * claimed position, encoding it there. That allocates nothing, runs no code of a user
	 * and does not throw.
	 * @param <T> the type of the request
	 * @param position the position
	 * @param message the request
	 * @param messages the layout of requests
	 * @since 0.2.0
	 */
	public <T extends Record> void publish(long position, T message, MessageLayout<T> messages) {
		prepare(position);
		this.requests.pack(this.layout.slot(position), this.layout.tag(position), message, messages);
	}

	/**
	 * Validates a request and makes everything that publishing it needs. Call it before
	 * {@link #claim claiming} a position: it runs the record's accessors and may allocate
	 * and throw.
	 * @param <T> the type of the request
	 * @param message the request
	 * @param messages the layout of requests
	 * @return the draft, to be given back with {@link #recycle}
	 * @throws io.ringkernel.InvalidMessageException if the request does not fit its
	 * layout
	 */
	public <T extends Record> Draft encode(T message, MessageLayout<T> messages) {
		Draft draft = this.drafts.take();
		boolean encoded = false;
		try {
			draft.encode(this.requests, message, messages);
			encoded = true;
		}
		finally {
			if (!encoded) {
				draft.giveBack();
			}
		}
		return draft;
	}

	/**
	 * Publishes a request at a claimed position. Publishing a request that fits into a
	 * slot only copies words: it allocates nothing, runs no code of a user and does not
	 * throw. A request that is too large for a slot is encoded here, so its record's
	 * accessors may throw; the position then has no request, and needs {@link #retract}.
	 * So it does if this fails later, when a device may have begun to fetch the request.
	 * @param position the position
	 * @param draft the request; it remains the caller's
	 * @throws io.ringkernel.InvalidMessageException if a large request has changed since
	 * it was measured; nothing was published
	 */
	public void publish(long position, Draft draft) {
		prepare(position);
		draft.publishInParts(this.requests, this.layout.slot(position), this.layout.tag(position));
	}

	/**
	 * Publishes a request that was made as a frame at a claimed position. That copies it,
	 * allocates nothing, runs no code of a user and does not throw.
	 * @param position the position
	 * @param frame the request, {@linkplain FrameBuffer#encode encoded}; it remains the
	 * caller's
	 * @since 0.2.0
	 */
	public void publish(long position, FrameBuffer frame) {
		prepare(position);
		FrameCopy.publish(this.requests, this.layout.slot(position), this.layout.tag(position), frame);
	}

	/**
	 * Makes what one thread at a time writes and reads messages in the slots with.
	 * @return access to the slots of this ring
	 * @since 0.2.0
	 */
	public SlotMessages messages() {
		return new SlotMessages(this, this.requests, this.responses);
	}

	/**
	 * Forgets what a slot holds from the half of the tag space before, so that an old tag
	 * is not taken for a new one. Does nothing but once in 2<sup>31</sup> laps.
	 */
	void prepare(long position) {
		int slot = this.layout.slot(position);
		int tag = this.layout.tag(position);
		int half = LapTag.half(tag);
		if (this.halves[slot] != half) {
			this.requests.clear(slot);
			this.responses.clear(slot);
			this.claims.forgetPassedOver(position);
			this.skippedLaps.forgetBefore(slot, tag);
			this.halves[slot] = (byte) half;
		}
	}

	/**
	 * Gives a draft back, whether it was published or not.
	 * @param draft the draft, which the caller does not use any more
	 */
	public void recycle(Draft draft) {
		draft.giveBack();
	}

	/**
	 * Publishes an empty, withdrawn request at a claimed position for which there is none
	 * after all. It is answered, and its slot released, like any other that was
	 * withdrawn.
	 * <p>
	 * A void position would not do: a slot has one range of them, which begins anew after
	 * each request, so every position that is claimed must leave a request in its slot.
	 * Otherwise a worker that is still before an older range of the slot would find
	 * neither that range nor a later request, and wait for ever.
	 * @param position the position, claimed and not published
	 */
	public void retract(long position) {
		prepare(position);
		int slot = this.layout.slot(position);
		this.requests.publish(slot, this.layout.tag(position), MessageKind.WITHDRAWN, 0);
	}

	/**
	 * Asks that a published request is not begun, if it is not yet begun. Its header says
	 * so from then on. It is answered all the same, so its slot is released in the usual
	 * way, and by the same thread: a withdrawal after the release would speak of another
	 * request.
	 * @param position the position, not yet released
	 */
	public void withdraw(long position) {
		this.requests.changeKind(this.layout.slot(position), MessageKind.WITHDRAWN.code());
	}

	/**
	 * Whether the request of a position is there in whole, and its slot not yet used by a
	 * later one.
	 * @param position a position before the {@link #head}
	 * @return whether it was published
	 */
	public boolean isPublished(long position) {
		return this.requests.isComplete(this.layout.slot(position), this.layout.tag(position));
	}

	/**
	 * Whether a position is claimed and has no request yet: its thread is about to
	 * publish one.
	 * @param position a position before the {@link #head}
	 * @return whether its slot is held by this position, without a request
	 */
	public boolean isUnpublished(long position) {
		return this.claims.isClaimed(position) && !isPublished(position);
	}

	/**
	 * Whether the response to a published request is there in whole.
	 * @param position the position
	 * @return whether it can be read
	 */
	public boolean isAnswered(long position) {
		return this.responses.isComplete(this.layout.slot(position), this.layout.tag(position));
	}

	/**
	 * Whether a slot holds a request, of whatever lap, that is published and not
	 * answered: then it is a loop's to answer.
	 * @param slot the slot
	 * @return whether its request has no response yet
	 * @since 0.2.0
	 */
	public boolean isUnanswered(int slot) {
		return hasRequest(slot) && !this.responses.isComplete(slot, this.requests.headerTag(slot));
	}

	/**
	 * Whether the latest request of a slot, of whatever lap, is there in whole.
	 * @param slot the slot
	 * @return whether it can be read
	 * @since 0.2.0
	 */
	public boolean hasRequest(int slot) {
		int tag = this.requests.headerTag(slot);
		return tag != LapTag.NONE && this.requests.isComplete(slot, tag);
	}

	/**
	 * Whether the header of the response to a published request is there. What follows it
	 * may still be on its way: {@link #response} tells.
	 * @param position the position
	 * @return whether the response has begun to arrive
	 */
	public boolean isAnswering(long position) {
		return this.responses.headerTag(this.layout.slot(position)) == this.layout.tag(position);
	}

	/**
	 * Answers a request in place of a loop that has ended by force and may have begun it.
	 * @param position a position that is not answered, and that no loop serves
	 * @since 0.2.0
	 */
	public void lose(long position) {
		this.responses.publish(this.layout.slot(position), this.layout.tag(position), MessageKind.LOST, 0);
	}

	/**
	 * Takes back what a loop had stored of an answer when it was ended.
	 * @param position a position that is not answered, and that no loop serves
	 */
	void clearAnswer(long position) {
		this.responses.clear(this.layout.slot(position));
	}

	/**
	 * What the response is.
	 * @param position a position that is being answered
	 * @return the kind
	 * @throws CorruptMessageException if the header states none that is known
	 */
	public MessageKind responseKind(long position) {
		int code = this.responses.kind(this.layout.slot(position));
		MessageKind kind = MessageKind.of(code);
		if (kind == null) {
			throw new CorruptMessageException(
					"The response at position %d states the unknown kind %d; known are 0 to %d.".formatted(position,
							code, MessageKind.values().length - 1));
		}
		return kind;
	}

	/**
	 * Whether the response is a message, as the {@linkplain #responseKind kind} of one
	 * is.
	 * @param position a position that is being answered
	 * @return whether it is
	 * @since 0.2.0
	 */
	public boolean isData(long position) {
		return this.responses.kind(this.layout.slot(position)) == MessageKind.DATA.code();
	}

	/**
	 * The detail of the response: the error code of a handler that failed.
	 * @param position a position that is answered
	 * @return the detail
	 */
	public int responseDetail(long position) {
		return this.responses.detail(this.layout.slot(position));
	}

	/**
	 * Decodes the response.
	 * @param <T> the type of the response
	 * @param position a position that is being answered
	 * @param messages the layout of responses
	 * @return the response, or {@code null} if it is not yet there in whole
	 * @throws CorruptMessageException if it is no valid message of that layout
	 */
	public <T extends Record> @Nullable T response(long position, MessageLayout<T> messages) {
		return response(position, messages, null);
	}

	/**
	 * Decodes the response as {@link #response(long, MessageLayout)} does, with arrays
	 * that were made ahead.
	 * @param <T> the type of the response
	 * @param position a position that is being answered
	 * @param messages the layout of responses
	 * @param arrays what was made for a large response, if anything was
	 * @return the response, or {@code null} if it is not yet there in whole
	 * @throws CorruptMessageException if it is no valid message of that layout
	 * @since 0.2.0
	 */
	public <T extends Record> @Nullable T response(long position, MessageLayout<T> messages,
			@Nullable ArraysAhead arrays) {
		Draft draft = this.drafts.take();
		try {
			return response(position, messages, draft, arrays);
		}
		finally {
			draft.giveBack();
		}
	}

	/**
	 * Decodes the response as {@link #response(long, MessageLayout, ArraysAhead)} does,
	 * through a draft of the caller's own.
	 * @param <T> the type of the response
	 * @param position a position that is being answered
	 * @param messages the layout of responses
	 * @param own the draft
	 * @param arrays what was made for a large response, if anything was
	 * @return the response, or {@code null} if it is not yet there in whole
	 * @throws CorruptMessageException if it is no valid message of that layout
	 * @since 0.2.0
	 */
	public <T extends Record> @Nullable T response(long position, MessageLayout<T> messages, Draft own,
			@Nullable ArraysAhead arrays) {
		return own.read(this.responses, this.layout.slot(position), this.layout.tag(position), messages, arrays);
	}

	/**
	 * Decodes a response of a {@linkplain MessageLayout#isPacked packed} layout.
	 * @param <T> the type of the response
	 * @param position a position that is being answered
	 * @param messages the layout of responses
	 * @return the response; {@code null} if it is not yet there in whole, or is none of
	 * that layout, which {@link #response} tells
	 * @throws CorruptMessageException if the record's constructor refuses the values
	 * @since 0.2.0
	 */
	public <T extends Record> @Nullable T packedResponse(long position, MessageLayout<T> messages) {
		return this.responses.unpackData(this.layout.slot(position), this.layout.tag(position), messages);
	}

	/**
	 * Whether the response lies outside its slot, where arrays are worth being made ahead
	 * of it.
	 * @param position a position that is being answered
	 * @return whether it does
	 * @since 0.2.0
	 */
	public boolean isResponseLarge(long position) {
		return this.responses.hasPayloads()
				&& !this.responses.isInline(this.responses.length(this.layout.slot(position)));
	}

	/**
	 * Prepares the reading of a large response.
	 * @return room for its arrays
	 * @since 0.2.0
	 */
	public ArraysAhead arraysAhead() {
		return new ArraysAhead(this.responses.memory());
	}

	/**
	 * Copies the response into a frame.
	 * @param position a position that is being answered
	 * @param frame the frame; what was in it is lost
	 * @return whether the response is there in whole
	 * @throws CorruptMessageException if it is no frame of that record
	 * @since 0.2.0
	 */
	public boolean response(long position, FrameBuffer frame) {
		return FrameCopy.read(this.responses, this.layout.slot(position), this.layout.tag(position), frame);
	}

	/**
	 * Gives the slot of an answered position back, and wakes a producer that waits for
	 * one.
	 * @param position the position
	 */
	public void release(long position) {
		free(position);
		signalFreed();
	}

	/**
	 * Gives the slot of an answered position back. Returns normally if, and only if, it
	 * has; {@link #signalFreed} then belongs behind it.
	 * @param position the position
	 */
	public void free(long position) {
		this.claims.release(position);
	}

	/**
	 * Wakes a producer that waits for a slot.
	 */
	public void signalFreed() {
		this.claims.signalReleased();
	}

	/**
	 * Gives the slot of an answered position back, as {@link #free} does, one of several
	 * in a row: a store without a fence. A producer that is parked may find it 10 ms
	 * later, unless {@link #signalRunFreed} is called behind the run.
	 * @param position the position
	 * @since 0.2.0
	 */
	public void freeInRun(long position) {
		this.claims.releaseInRun(position);
	}

	/**
	 * Wakes a producer that waits for a slot, behind a run of {@link #freeInRun}.
	 * @since 0.2.0
	 */
	public void signalRunFreed() {
		this.claims.signalReleasedRun();
	}

	/**
	 * Finishes what a thread has left unfinished that failed while it claimed a position.
	 * Costs one load if there is nothing.
	 */
	public void repair() {
		this.claims.repair();
	}

	/**
	 * Writes the words of skipped laps anew, whatever the loop before has stored there.
	 * To be called while no loop serves the ring.
	 */
	void rewriteSkipped() {
		this.claims.rewriteSkipped();
	}

	/**
	 * Waits until nothing is in flight.
	 * @param deadline the {@link System#nanoTime} to give up at
	 * @return whether that came to pass
	 * @throws InterruptedException if the thread was interrupted
	 */
	public boolean awaitIdle(long deadline) throws InterruptedException {
		return this.claims.awaitIdle(deadline);
	}

	/**
	 * Ends every wait for a free slot, which then finds the ring {@link #NO_SLOT}; later
	 * ones end at once.
	 */
	public void close() {
		this.claims.close();
	}

	/**
	 * Whether a position may still be in flight. It says so of a void position, too,
	 * while its slot is held by an earlier lap.
	 * @param position a position before the {@link #head}
	 * @return {@code false} once its slot has been given back
	 */
	public boolean isInFlight(long position) {
		return this.claims.isInFlight(position);
	}

	/**
	 * The slots in flight, at some moment during the call.
	 * @return a count from 0 to the number of slots
	 */
	public int inFlight() {
		return this.claims.inFlight();
	}

	/**
	 * About how many slots are in flight, by a few loads.
	 * @return 0, or a power of two up to the number of slots
	 */
	public int load() {
		return this.claims.load();
	}

	/**
	 * The positions before a head that are claimed and not given back.
	 */
	long[] inFlightBefore(long head) {
		return this.claims.inFlightBefore(head);
	}

	/**
	 * The position that is claimed next.
	 * @return the position
	 */
	public long head() {
		return this.claims.head();
	}

	/**
	 * What lies in this ring, while it is in use or not. Only loads from it.
	 * @return a dump
	 */
	public RingDump dump() {
		return new RingInspection(this.layout, this.requests, this.responses, this.skippedLaps, this.claims).dump();
	}

	/**
	 * The layout of this ring.
	 * @return the layout
	 */
	public RingLayout layout() {
		return this.layout;
	}

}
