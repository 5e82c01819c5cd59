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
import io.ringkernel.cuda.loop.LaunchModelState.Loader;
import io.ringkernel.cuda.loop.LaunchModelState.Producer;
import io.ringkernel.cuda.loop.LaunchModelState.Stream;
import io.ringkernel.cuda.loop.LaunchModelState.Watcher;
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

	/** What can be left out of the protocol, to see that the model finds it missing. */
	enum Omission {

		NOTHING, LAST_TURN, PRODUCER_FENCE, WATCHER_FENCE, WAKE_ON_RESUME

	}

	private final Omission omission;

	private final Map<LaunchModelState, List<LaunchModelState>> successors = new HashMap<>();

	LaunchModel(Omission omission) {
		this.omission = omission;
		Deque<LaunchModelState> found = new ArrayDeque<>(List.of(new LaunchModelState()));
		while (!found.isEmpty()) {
			LaunchModelState state = found.poll();
			if (!this.successors.containsKey(state)) {
				List<LaunchModelState> next = successors(state);
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
	@Nullable LaunchModelState lostWakeup() {
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
	Collection<LaunchModelState> hopeless() {
		Map<LaunchModelState, List<LaunchModelState>> predecessors = new HashMap<>();
		this.successors.forEach((state, next) -> next
			.forEach((successor) -> predecessors.computeIfAbsent(successor, (key) -> new ArrayList<>()).add(state)));
		Deque<LaunchModelState> good = new ArrayDeque<>(
				this.successors.keySet().stream().filter(LaunchModelState::isAnswered).toList());
		Set<LaunchModelState> hopeless = new HashSet<>(this.successors.keySet());
		while (!good.isEmpty()) {
			LaunchModelState state = good.poll();
			if (hopeless.remove(state)) {
				good.addAll(predecessors.getOrDefault(state, List.of()));
			}
		}
		return hopeless;
	}

	private List<LaunchModelState> successors(LaunchModelState from) {
		List<LaunchModelState> next = new ArrayList<>();
		for (int producer = 0; producer < LaunchModelState.PRODUCERS; producer++) {
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

	private void produce(LaunchModelState from, int p, List<LaunchModelState> next) {
		LaunchModelState to = new LaunchModelState(from);
		switch (from.producers[p]) {
			case PUBLISH -> {
				to.unseen[p]++;
				to.producers[p] = (this.omission == Omission.PRODUCER_FENCE) ? Producer.LOOK : Producer.FENCE;
			}
			case FENCE -> {
				if (from.unseen[p] > 0) {
					return;
				}
				to.producers[p] = Producer.LOOK;
			}
			case LOOK -> {
				if (from.listening) {
					to.producers[p] = Producer.WAKE;
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

	private void watch(LaunchModelState from, List<LaunchModelState> next) {
		LaunchModelState to = new LaunchModelState(from);
		switch (from.watcher) {
			case TURN -> to.watcher = from.launch.isOnDevice() ? Watcher.LOOK_AT_STREAM : Watcher.LOOK_AT_FIRST;
			case LOOK_AT_STREAM -> {
				if (from.kernel != Stream.ENDED) {
					// It runs: after a short sleep, or none, the next turn.
					to.endTurn();
				}
				else {
					to.noteEnd();
					to.watcher = Watcher.LOOK_AT_FIRST;
				}
			}
			case LOOK_AT_FIRST -> {
				if (from.launch != LaunchState.DUE) {
					turnedOut(to, next);
					return;
				}
				if (!from.last) {
					// One that lingers launches for a request that was only claimed.
					LaunchModelState early = new LaunchModelState(to);
					early.watcher = Watcher.LAUNCH;
					next.add(early);
				}
				to.watcher = from.isUnanswered(0) ? Watcher.LAUNCH : Watcher.LOOK_AT_SECOND;
			}
			case LOOK_AT_SECOND -> {
				if (!from.isUnanswered(1)) {
					turnedOut(to, next);
					return;
				}
				to.watcher = Watcher.LAUNCH;
			}
			case LAUNCH -> {
				if (from.launch != LaunchState.DUE) {
					turnedOut(to, next);
					return;
				}
				to.apply(LaunchState.Event.LAUNCH);
				to.watcher = Watcher.PUT_ON_STREAM;
			}
			case PUT_ON_STREAM -> {
				to.kernel = Stream.RUNNING;
				to.apply(LaunchState.Event.LAUNCHED);
				to.endTurn();
			}
			case ANNOUNCE -> {
				to.announcementUnseen = true;
				to.watcher = (this.omission == Omission.WATCHER_FENCE) ? afterFence(to) : Watcher.FENCE;
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
					to.watcher = Watcher.TURN;
				}
				else if (from.permit) {
					to.permit = false;
				}
				else {
					return;
				}
			}
		}
		next.add(to);
	}

	private Watcher afterFence(LaunchModelState to) {
		to.last = true;
		return (this.omission == Omission.LAST_TURN) ? Watcher.SLEEP : Watcher.TURN;
	}

	/**
	 * A turn that found nothing: the last one before sleep, or one of those that spin.
	 */
	private static void turnedOut(LaunchModelState to, List<LaunchModelState> next) {
		boolean last = to.last;
		LaunchModelState again = new LaunchModelState(to);
		to.watcher = last ? Watcher.SLEEP : Watcher.ANNOUNCE;
		next.add(to);
		if (!last) {
			again.endTurn();
			next.add(again);
		}
	}

	private static void run(LaunchModelState from, List<LaunchModelState> next) {
		if (from.kernel == Stream.RUNNING) {
			LaunchModelState leaving = new LaunchModelState(from);
			leaving.kernel = Stream.LEAVING;
			next.add(leaving);
			for (int p = 0; p < LaunchModelState.PRODUCERS && from.launch.command() == Command.RUN; p++) {
				if (from.isUnanswered(p)) {
					LaunchModelState answered = new LaunchModelState(from);
					answered.answered[p]++;
					next.add(answered);
				}
			}
		}
		else if (from.kernel == Stream.LEAVING) {
			LaunchModelState ended = new LaunchModelState(from);
			ended.kernel = Stream.ENDED;
			next.add(ended);
		}
	}

	private void load(LaunchModelState from, List<LaunchModelState> next) {
		if (from.loader == Loader.RESUMED) {
			return;
		}
		LaunchModelState to = new LaunchModelState(from);
		switch (from.loader) {
			case PAUSE -> {
				to.apply(LaunchState.Event.YIELD);
				to.loader = Loader.AWAIT_END;
			}
			case AWAIT_END -> {
				if (from.launch.isOnDevice()) {
					return;
				}
				to.loader = Loader.RESUME;
			}
			case RESUME -> {
				to.apply(LaunchState.Event.RESUME);
				to.loader = (this.omission == Omission.WAKE_ON_RESUME) ? Loader.RESUMED : Loader.WAKE_WATCHER;
			}
			default -> {
				to.wake();
				to.loader = Loader.RESUMED;
			}
		}
		next.add(to);
	}

}
