package io.ringkernel.cuda.loop;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

import io.ringkernel.control.Command;
import org.jspecify.annotations.Nullable;

/**
 * A model of who launches an event-driven kernel, small enough to go through all of its
 * states: two producers that publish two requests each, the watcher of
 * {@link LoopWatcher} with the turn of {@link RelaunchingLoop}, somebody who has the
 * kernel yield and resumes it, and a kernel that ends whenever it likes. How far the
 * launch is, is told by {@link LaunchState}.
 * <p>
 * Stores that no fence has followed yet wait in a store buffer, as they do on x86: others
 * see them at any later moment. A step is one access to what is shared.
 */
final class LaunchModel {

	private static final int REQUESTS = 2;

	private static final int PRODUCERS = 2;

	/** What can be left out of the protocol, to see that the model finds it missing. */
	enum Omission {

		NOTHING, LAST_TURN, PRODUCER_FENCE, WATCHER_FENCE, WAKE_ON_RESUME

	}

	/** The kernel, as its stream shows it. */
	private static final int OUT = 0;

	private static final int RUNNING = 1;

	/** It has taken its last look. */
	private static final int LEAVING = 2;

	private static final int ENDED = 3;

	/** Where the watcher is. */
	private static final int TURN = 0;

	private static final int LOOK_AT_STREAM = 1;

	private static final int LOOK_AT_FIRST = 2;

	private static final int LOOK_AT_SECOND = 3;

	private static final int LAUNCH = 4;

	private static final int PUT_ON_STREAM = 5;

	private static final int ANNOUNCE = 6;

	private static final int FENCE = 7;

	private static final int SLEEP = 8;

	/** Where a producer is. */
	private static final int PUBLISH = 0;

	private static final int PRODUCER_FENCE = 1;

	private static final int LOOK_WHETHER_LISTENING = 2;

	private static final int WAKE = 3;

	private static final int DONE = 4;

	/** Where the one is who loads another kernel. */
	private static final int PAUSE = 0;

	private static final int AWAIT_END = 1;

	private static final int RESUME = 2;

	private static final int WAKE_WATCHER = 3;

	private static final int RESUMED = 4;

	private final Omission omission;

	private final Map<State, List<State>> successors = new HashMap<>();

	LaunchModel(Omission omission) {
		this.omission = omission;
		Deque<State> found = new ArrayDeque<>(List.of(new State()));
		while (!found.isEmpty()) {
			State state = found.poll();
			if (!this.successors.containsKey(state)) {
				List<State> next = successors(state);
				this.successors.put(state, next);
				found.addAll(next);
			}
		}
	}

	int states() {
		return this.successors.size();
	}

	/**
	 * A state in which nobody can do anything although not everything is answered.
	 */
	@Nullable State lostWakeup() {
		return this.successors.entrySet()
			.stream()
			.filter((entry) -> entry.getValue().isEmpty() && !entry.getKey().isAnswered())
			.map(Map.Entry::getKey)
			.findAny()
			.orElse(null);
	}

	/**
	 * The states from which no path leads to one in which everything is answered.
	 */
	Collection<State> hopeless() {
		Map<State, List<State>> predecessors = new HashMap<>();
		this.successors.forEach((state, next) -> next
			.forEach((successor) -> predecessors.computeIfAbsent(successor, (key) -> new ArrayList<>()).add(state)));
		Deque<State> good = new ArrayDeque<>(this.successors.keySet().stream().filter(State::isAnswered).toList());
		Set<State> hopeless = new HashSet<>(this.successors.keySet());
		while (!good.isEmpty()) {
			State state = good.poll();
			if (hopeless.remove(state)) {
				good.addAll(predecessors.getOrDefault(state, List.of()));
			}
		}
		return hopeless;
	}

	private List<State> successors(State from) {
		List<State> next = new ArrayList<>();
		for (int producer = 0; producer < PRODUCERS; producer++) {
			produce(from, producer, next);
			if (from.unseen[producer] > 0) {
				next.add(from.drained(producer));
			}
		}
		if (from.announcementUnseen) {
			next.add(from.drainedAnnouncement());
		}
		watch(from, next);
		run(from, next);
		load(from, next);
		return next;
	}

	private void produce(State from, int p, List<State> next) {
		State to = new State(from);
		switch (from.producer[p]) {
			case PUBLISH -> {
				to.unseen[p]++;
				to.producer[p] = (this.omission == Omission.PRODUCER_FENCE) ? LOOK_WHETHER_LISTENING : PRODUCER_FENCE;
			}
			case PRODUCER_FENCE -> {
				if (from.unseen[p] > 0) {
					return;
				}
				to.producer[p] = LOOK_WHETHER_LISTENING;
			}
			case LOOK_WHETHER_LISTENING -> {
				if (from.listening) {
					to.producer[p] = WAKE;
				}
				else {
					to.nextRequest(p);
				}
			}
			case WAKE -> {
				// An atomic update drains the buffer, too.
				if (from.unseen[p] > 0) {
					return;
				}
				to.wake();
				to.nextRequest(p);
			}
			default -> {
				return;
			}
		}
		next.add(to);
	}

	private void watch(State from, List<State> next) {
		State to = new State(from);
		switch (from.watcher) {
			case TURN -> {
				if (from.launch.isOnDevice()) {
					to.watcher = LOOK_AT_STREAM;
				}
				else {
					to.watcher = LOOK_AT_FIRST;
				}
			}
			case LOOK_AT_STREAM -> {
				if (from.kernel != ENDED) {
					// It runs: after a short sleep, or none, the next turn.
					to.endTurn(TURN);
				}
				else {
					to.noteEnd();
					to.watcher = LOOK_AT_FIRST;
				}
			}
			case LOOK_AT_FIRST -> {
				if (from.launch != LaunchState.DUE) {
					turnedOut(to, next);
					return;
				}
				if (!from.last) {
					// One that lingers launches for a request that was only claimed.
					State early = new State(to);
					early.watcher = LAUNCH;
					next.add(early);
				}
				to.watcher = from.isUnanswered(0) ? LAUNCH : LOOK_AT_SECOND;
			}
			case LOOK_AT_SECOND -> {
				if (!from.isUnanswered(1)) {
					turnedOut(to, next);
					return;
				}
				to.watcher = LAUNCH;
			}
			case LAUNCH -> {
				if (from.launch != LaunchState.DUE) {
					turnedOut(to, next);
					return;
				}
				to.apply(LaunchState.Event.LAUNCH);
				to.watcher = PUT_ON_STREAM;
			}
			case PUT_ON_STREAM -> {
				to.kernel = RUNNING;
				to.apply(LaunchState.Event.LAUNCHED);
				to.endTurn(TURN);
			}
			case ANNOUNCE -> {
				to.announcementUnseen = true;
				to.watcher = (this.omission == Omission.WATCHER_FENCE) ? afterFence(to) : FENCE;
			}
			case FENCE -> {
				if (from.announcementUnseen) {
					return;
				}
				to.watcher = afterFence(to);
			}
			case SLEEP -> {
				if (!from.listening && !from.announcementUnseen) {
					to.last = false;
					to.watcher = TURN;
				}
				else if (from.permit) {
					to.permit = false;
				}
				else {
					return;
				}
			}
			default -> throw new IllegalStateException("watcher at " + from.watcher);
		}
		next.add(to);
	}

	private int afterFence(State to) {
		to.last = true;
		return (this.omission == Omission.LAST_TURN) ? SLEEP : TURN;
	}

	/**
	 * A turn that found nothing: the last one before sleep, or one of those that spin.
	 */
	private static void turnedOut(State to, List<State> next) {
		boolean last = to.last;
		State again = new State(to);
		to.watcher = last ? SLEEP : ANNOUNCE;
		next.add(to);
		if (!last) {
			again.endTurn(TURN);
			next.add(again);
		}
	}

	private static void run(State from, List<State> next) {
		if (from.kernel == RUNNING) {
			State leaving = new State(from);
			leaving.kernel = LEAVING;
			next.add(leaving);
			for (int p = 0; p < PRODUCERS && from.launch.command() == Command.RUN; p++) {
				if (from.isUnanswered(p)) {
					State answered = new State(from);
					answered.answered[p]++;
					next.add(answered);
				}
			}
		}
		else if (from.kernel == LEAVING) {
			State ended = new State(from);
			ended.kernel = ENDED;
			next.add(ended);
		}
	}

	private void load(State from, List<State> next) {
		if (from.loader == RESUMED) {
			return;
		}
		State to = new State(from);
		switch (from.loader) {
			case PAUSE -> {
				to.apply(LaunchState.Event.YIELD);
				to.loader = AWAIT_END;
			}
			case AWAIT_END -> {
				if (from.launch.isOnDevice()) {
					return;
				}
				to.loader = RESUME;
			}
			case RESUME -> {
				to.apply(LaunchState.Event.RESUME);
				to.loader = (this.omission == Omission.WAKE_ON_RESUME) ? RESUMED : WAKE_WATCHER;
			}
			default -> {
				to.wake();
				to.loader = RESUMED;
			}
		}
		next.add(to);
	}

	/**
	 * Everything that is shared, and where everybody is.
	 */
	static final class State {

		private final int[] producer = new int[PRODUCERS];

		private final int[] requests = new int[PRODUCERS];

		/** Published, in the producer's store buffer. */
		private final int[] unseen = new int[PRODUCERS];

		private final int[] published = new int[PRODUCERS];

		private final int[] answered = new int[PRODUCERS];

		private int watcher;

		private boolean last;

		private boolean listening;

		/** The announcement that it listens, in the watcher's store buffer. */
		private boolean announcementUnseen;

		private boolean permit;

		private LaunchState launch = LaunchState.DUE;

		private int kernel;

		private int loader;

		State() {
		}

		State(State other) {
			System.arraycopy(other.producer, 0, this.producer, 0, PRODUCERS);
			System.arraycopy(other.requests, 0, this.requests, 0, PRODUCERS);
			System.arraycopy(other.unseen, 0, this.unseen, 0, PRODUCERS);
			System.arraycopy(other.published, 0, this.published, 0, PRODUCERS);
			System.arraycopy(other.answered, 0, this.answered, 0, PRODUCERS);
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
			for (int p = 0; p < PRODUCERS; p++) {
				if (this.answered[p] < REQUESTS) {
					return false;
				}
			}
			return true;
		}

		private boolean isUnanswered(int p) {
			return this.published[p] > this.answered[p];
		}

		private void nextRequest(int p) {
			this.requests[p]++;
			this.producer[p] = (this.requests[p] < REQUESTS) ? PUBLISH : DONE;
		}

		private State drained(int p) {
			State to = new State(this);
			to.unseen[p]--;
			to.published[p]++;
			return to;
		}

		private State drainedAnnouncement() {
			State to = new State(this);
			to.announcementUnseen = false;
			to.listening = true;
			return to;
		}

		private void wake() {
			if (this.listening) {
				this.listening = false;
				this.permit = true;
			}
		}

		private void noteEnd() {
			apply(LaunchState.Event.ENDED);
			this.kernel = OUT;
		}

		private void apply(LaunchState.Event event) {
			this.launch = this.launch.on(event);
		}

		/** A turn has come to something: what was announced is taken back. */
		private void endTurn(int where) {
			if (this.last) {
				this.announcementUnseen = false;
				this.listening = false;
			}
			this.last = false;
			this.watcher = where;
		}

		/** Everything in a number: each part has few values. */
		private long code() {
			long code = 0;
			for (int p = 0; p < PRODUCERS; p++) {
				code = code << 3 | this.producer[p];
				code = code << 2 | this.requests[p];
				code = code << 2 | this.unseen[p];
				code = code << 2 | this.published[p];
				code = code << 2 | this.answered[p];
			}
			code = code << 4 | this.watcher;
			code = code << 3 | this.kernel;
			code = code << 3 | this.loader;
			code = code << 4 | this.launch.ordinal();
			for (boolean bit : new boolean[] { this.last, this.listening, this.announcementUnseen, this.permit }) {
				code = code << 1 | (bit ? 1 : 0);
			}
			return code;
		}

		@Override
		public boolean equals(@Nullable Object other) {
			return other instanceof State state && state.code() == code();
		}

		@Override
		public int hashCode() {
			return Long.hashCode(code());
		}

		@Override
		public String toString() {
			return "watcher %d, listening %b, kernel %d, launch %s, published %d + %d, answered %d + %d".formatted(
					this.watcher, this.listening, this.kernel, this.launch, this.published[0], this.published[1],
					this.answered[0], this.answered[1]);
		}

	}

}
