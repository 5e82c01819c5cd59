package io.ringkernel.session.serving;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

import io.ringkernel.backend.DeviceLoop;

/**
 * A loop that serves nothing, and notes what it is told.
 */
final class PlayedLoop implements DeviceLoop {

	final List<String> calls = new ArrayList<>();

	private final Throwable failure;

	RuntimeException refusal;

	RuntimeException closing;

	RuntimeException ringing;

	int active;

	long[] begun = {};

	PlayedLoop(Throwable failure) {
		this.failure = failure;
	}

	@Override
	public void start() {
		this.calls.add("start");
		if (this.refusal != null) {
			throw this.refusal;
		}
	}

	@Override
	public void doorbell() {
		this.calls.add("doorbell");
		if (this.ringing != null) {
			throw this.ringing;
		}
	}

	@Override
	public void nudge() {
	}

	@Override
	public boolean stop(Duration timeout) {
		return this.active == 0;
	}

	@Override
	public long[] begun() {
		return this.begun;
	}

	@Override
	public Throwable failure() {
		return this.failure;
	}

	@Override
	public int activeWorkers() {
		return this.active;
	}

	@Override
	public void close() {
		this.calls.add("close");
		if (this.closing != null) {
			throw this.closing;
		}
	}

}
