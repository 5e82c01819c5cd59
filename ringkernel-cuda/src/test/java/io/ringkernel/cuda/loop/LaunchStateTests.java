package io.ringkernel.cuda.loop;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.EnumSet;
import java.util.Set;

import io.ringkernel.control.Command;
import io.ringkernel.cuda.loop.LaunchState.Event;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The table of moves of a loop.
 */
class LaunchStateTests {

	@ParameterizedTest
	@CsvSource({ "WANT, IDLE, DUE", "WANT, STOPPING, RETURNING", "STOP, DUE, IDLE", "STOP, YIELDED, IDLE",
			"STOP, LAUNCHING, STOPPING", "STOP, RUNNING, STOPPING", "STOP, YIELDING, STOPPING",
			"STOP, RETURNING, STOPPING", "YIELD, DUE, YIELDED", "YIELD, LAUNCHING, YIELDING",
			"YIELD, RUNNING, YIELDING", "YIELD, RETURNING, YIELDING", "RESUME, YIELDED, DUE",
			"RESUME, YIELDING, RETURNING", "LAUNCH, DUE, LAUNCHING", "LAUNCHED, LAUNCHING, RUNNING",
			"TRY, YIELDED, YIELDING", "ENDED, LAUNCHING, DUE", "ENDED, RUNNING, DUE", "ENDED, RETURNING, DUE",
			"ENDED, STOPPING, IDLE", "ENDED, YIELDING, YIELDED", "ENDED, CLOSING, LEFT", "CLOSE, IDLE, CLOSED",
			"CLOSE, DUE, CLOSED", "CLOSE, YIELDED, CLOSED", "CLOSE, LEFT, CLOSED", "CLOSE, LAUNCHING, CLOSING",
			"CLOSE, RUNNING, CLOSING", "CLOSE, STOPPING, CLOSING", "CLOSE, YIELDING, CLOSING",
			"CLOSE, RETURNING, CLOSING" })
	void moves(Event event, LaunchState from, LaunchState to) {
		assertThat(from.on(event)).isEqualTo(to);
	}

	@ParameterizedTest
	@EnumSource
	void onlyADueKernelIsLaunched(LaunchState state) {
		assertThat(state.on(Event.LAUNCH) == LaunchState.LAUNCHING)
			.isEqualTo(state == LaunchState.DUE || state == LaunchState.LAUNCHING);
	}

	@ParameterizedTest
	@EnumSource
	void onlyItsEndTakesAKernelOffTheDevice(LaunchState state) {
		for (Event event : EnumSet.complementOf(EnumSet.of(Event.ENDED))) {
			assertThat(state.isOnDevice() && !state.on(event).isOnDevice()).as("%s on %s", state, event).isFalse();
		}
		assertThat(state.on(Event.ENDED).isOnDevice()).isFalse();
	}

	@ParameterizedTest
	@EnumSource
	void aKernelThatWasStoppedOrClosedIsNotWanted(LaunchState state) {
		assertThat(state.on(Event.STOP).isWanted()).isFalse();
		assertThat(state.on(Event.CLOSE).isWanted()).isFalse();
	}

	@ParameterizedTest
	@EnumSource
	void aYieldChangesNothingOnceItIsResumedAndTheKernelHasEnded(LaunchState state) {
		LaunchState resumed = state.on(Event.YIELD).on(Event.ENDED).on(Event.RESUME);
		assertThat(resumed).isEqualTo(state.on(Event.ENDED).on(Event.RESUME));
	}

	@Test
	void aKernelIsToldToRunUntilItIsToldToEnd() {
		assertThat(LaunchState.values()).filteredOn((state) -> state.command() == Command.RUN)
			.containsExactly(LaunchState.LAUNCHING, LaunchState.RUNNING);
	}

	@Test
	void everyStateIsReached() {
		Set<LaunchState> reached = EnumSet.of(LaunchState.IDLE);
		Deque<LaunchState> found = new ArrayDeque<>(reached);
		while (!found.isEmpty()) {
			LaunchState state = found.poll();
			for (Event event : Event.values()) {
				if (reached.add(state.on(event))) {
					found.add(state.on(event));
				}
			}
		}
		assertThat(reached).containsExactlyInAnyOrder(LaunchState.values());
	}

}
