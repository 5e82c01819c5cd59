package io.ringkernel.runtime;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

import io.ringkernel.backend.KernelRegion;
import io.ringkernel.backend.KernelSpec;
import io.ringkernel.backend.PlanFailedException;
import io.ringkernel.conformance.EndableLoop;
import io.ringkernel.ring.DeviceRing;
import io.ringkernel.ring.MessageKind;
import io.ringkernel.ring.order.ServingOrder;
import org.jspecify.annotations.Nullable;

/**
 * A loop whose workers serve each so many positions apart, as the blocks of a device do:
 * one that is slow is soon many laps behind. It is ended by force: each worker wherever
 * it is, with a request begun and not answered as well.
 */
final class StrideLoop<I extends Record, O extends Record> implements EndableLoop {

	private static final int WORKERS = 3;

	private final KernelSpec<I, O> kernel;

	private final DeviceRing ring;

	private final KernelRegion region;

	private final ServingOrder order;

	private final long[] turns = { 0, 1, 2 };

	private List<Thread> threads = new ArrayList<>();

	private volatile boolean stopped;

	private volatile boolean killed;

	private volatile @Nullable PlanFailedException failure;

	StrideLoop(KernelSpec<I, O> kernel, KernelRegion region) {
		this.kernel = kernel;
		this.region = region;
		this.ring = new DeviceRing(region.memory().buffer(), region.ring(), WORKERS);
		this.order = ServingOrder.of(region.host());
	}

	@Override
	public void start() {
		this.stopped = false;
		for (int i = 0; i < WORKERS; i++) {
			int worker = i;
			Thread thread = new Thread(() -> run(worker), "stride-" + i);
			thread.setDaemon(true);
			this.threads.add(thread);
			thread.start();
		}
	}

	private void run(int worker) {
		SplittableRandom random = new SplittableRandom(worker);
		while (!this.killed && !this.stopped) {
			long turn = this.turns[worker];
			long position = this.order.position(turn);
			DeviceRing.RequestState state = this.ring.poll(position);
			if (state == DeviceRing.RequestState.ABSENT) {
				Thread.yield();
				continue;
			}
			if (state != DeviceRing.RequestState.SKIPPED && !serve(worker, position, state, random)) {
				return;
			}
			this.turns[worker] += WORKERS;
		}
	}

	/**
	 * Answers a request, unless the worker is ended meanwhile.
	 */
	private boolean serve(int worker, long position, DeviceRing.RequestState state, SplittableRandom random) {
		if (state == DeviceRing.RequestState.WITHDRAWN) {
			this.ring.answer(position, MessageKind.WITHDRAWN, 0);
			return true;
		}
		O response;
		try {
			response = this.kernel.handler().handle(this.ring.request(position, worker, this.kernel.requests()));
		}
		catch (Exception ex) {
			throw new IllegalStateException(ex);
		}
		// So that it is ended at this place now and then.
		for (int pause = random.nextInt(20); pause > 0; pause--) {
			Thread.yield();
		}
		if (this.killed) {
			return false;
		}
		this.ring.answer(position, worker, response, this.kernel.responses());
		this.region.control().processed(worker % this.region.control().workers());
		return true;
	}

	@Override
	public void end(PlanFailedException why) throws InterruptedException {
		this.killed = true;
		for (Thread thread : this.threads) {
			thread.join();
		}
		this.failure = why;
	}

	@Override
	public boolean stop(Duration timeout) throws InterruptedException {
		this.stopped = true;
		for (Thread thread : this.threads) {
			thread.join(Math.max(1, timeout.toMillis()));
		}
		boolean ended = activeWorkers() == 0;
		if (ended) {
			this.threads = new ArrayList<>();
		}
		return ended;
	}

	@Override
	public void doorbell() {
	}

	@Override
	public void nudge() {
	}

	@Override
	public @Nullable Throwable failure() {
		return this.failure;
	}

	@Override
	public int activeWorkers() {
		return (int) this.threads.stream().filter(Thread::isAlive).count();
	}

	@Override
	public void close() {
		this.stopped = true;
	}

}
