package io.ringkernel.cuda.loop;

import org.jspecify.annotations.Nullable;

/**
 * A state of {@link LaunchModel}: everything that is shared, and where everybody is.
 */
final class LaunchModelState {

	static final int PRODUCERS = 2;

	private static final int REQUESTS = 2;

	/** Where a producer is. */
	enum Producer {

		PUBLISH, FENCE, LOOK, WAKE, DONE

	}

	/** Where the watcher is. */
	enum Watcher {

		TURN, LOOK_AT_STREAM, LOOK_AT_FIRST, LOOK_AT_SECOND, LAUNCH, PUT_ON_STREAM, ANNOUNCE, FENCE, SLEEP

	}

	/** The kernel, as its stream shows it. One that leaves has taken its last look. */
	enum Stream {

		OUT, RUNNING, LEAVING, ENDED

	}

	/** Where the one is who loads another kernel. */
	enum Loader {

		PAUSE, AWAIT_END, RESUME, WAKE_WATCHER, RESUMED

	}

	final Producer[] producers;

	/** Published, in the producer's store buffer. */
	final int[] unseen;

	final int[] published;

	final int[] answered;

	Watcher watcher = Watcher.TURN;

	boolean last;

	boolean listening;

	/** The announcement that it listens, in the watcher's store buffer. */
	boolean announcementUnseen;

	boolean permit;

	LaunchState launch = LaunchState.DUE;

	Stream kernel = Stream.OUT;

	Loader loader = Loader.PAUSE;

	LaunchModelState() {
		this.producers = new Producer[] { Producer.PUBLISH, Producer.PUBLISH };
		this.unseen = new int[PRODUCERS];
		this.published = new int[PRODUCERS];
		this.answered = new int[PRODUCERS];
	}

	LaunchModelState(LaunchModelState other) {
		this.producers = other.producers.clone();
		this.unseen = other.unseen.clone();
		this.published = other.published.clone();
		this.answered = other.answered.clone();
		this.watcher = other.watcher;
		this.last = other.last;
		this.listening = other.listening;
		this.announcementUnseen = other.announcementUnseen;
		this.permit = other.permit;
		this.launch = other.launch;
		this.kernel = other.kernel;
		this.loader = other.loader;
	}

	boolean isAnswered() {
		return this.answered[0] == REQUESTS && this.answered[1] == REQUESTS;
	}

	boolean isUnanswered(int p) {
		return this.published[p] > this.answered[p];
	}

	void nextRequest(int p) {
		this.producers[p] = (this.unseen[p] + this.published[p] < REQUESTS) ? Producer.PUBLISH : Producer.DONE;
	}

	LaunchModelState drained(int p) {
		LaunchModelState to = new LaunchModelState(this);
		to.unseen[p]--;
		to.published[p]++;
		return to;
	}

	LaunchModelState drainedAnnouncement() {
		LaunchModelState to = new LaunchModelState(this);
		to.announcementUnseen = false;
		to.listening = true;
		return to;
	}

	void wake() {
		if (this.listening) {
			this.listening = false;
			this.permit = true;
		}
	}

	void noteEnd() {
		apply(LaunchState.Event.ENDED);
		this.kernel = Stream.OUT;
	}

	void apply(LaunchState.Event event) {
		this.launch = this.launch.on(event);
	}

	/** A turn has come to something: what was announced is taken back. */
	void endTurn() {
		if (this.last) {
			this.announcementUnseen = false;
			this.listening = false;
		}
		this.last = false;
		this.watcher = Watcher.TURN;
	}

	/** Everything in a number: each part has few values. */
	private long code() {
		long code = 0;
		for (int p = 0; p < PRODUCERS; p++) {
			code = code << 3 | this.producers[p].ordinal();
			code = code << 2 | this.unseen[p];
			code = code << 2 | this.published[p];
			code = code << 2 | this.answered[p];
		}
		code = code << 4 | this.watcher.ordinal();
		code = code << 3 | this.kernel.ordinal();
		code = code << 3 | this.loader.ordinal();
		code = code << 4 | this.launch.ordinal();
		for (boolean bit : new boolean[] { this.last, this.listening, this.announcementUnseen, this.permit }) {
			code = code << 1 | (bit ? 1 : 0);
		}
		return code;
	}

	@Override
	public boolean equals(@Nullable Object other) {
		return other instanceof LaunchModelState state && state.code() == code();
	}

	@Override
	public int hashCode() {
		return Long.hashCode(code());
	}

	@Override
	public String toString() {
		return "watcher %s, listening %b, kernel %s, launch %s, published %d + %d, answered %d + %d".formatted(
				this.watcher, this.listening, this.kernel, this.launch, this.published[0], this.published[1],
				this.answered[0], this.answered[1]);
	}

}
