package io.ringkernel.cuda.transport;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

import io.ringkernel.cuda.driver.CudaDeadlineException;
import io.ringkernel.cuda.driver.CudaStream;
import io.ringkernel.cuda.driver.DevicePointer;
import io.ringkernel.ring.WaitStrategy;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Copies around the launches of a kernel: what was published goes in front of it, on its
 * stream, and what it has answered comes back behind it. The kernel ends when it finds
 * nothing.
 * <p>
 * <strong>Under load</strong> the next launch is put on the stream while the one before
 * is under way, so that the device need not wait for the host between them. What that
 * launch is for is copied beside the kernel that runs, which may answer it already. A
 * slow message therefore holds up no later message.
 * <p>
 * <strong>A kernel that takes its time</strong> has copies made beside it as well, so
 * that what is published, withdrawn or commanded meanwhile reaches it. Where a kernel
 * that runs blocks the driver, such a copy waits for its end, as anything else would.
 */
final class EventDrivenBridge implements RingTransport, Carrier {

	private static final Logger logger = LoggerFactory.getLogger(EventDrivenBridge.class);

	/** Launches on the stream, each with a way for its responses. */
	private static final int DEPTH = 2;

	/** How long a launch is waited for: most have ended by then. */
	private static final long SHORT_NANOS = TimeUnit.MICROSECONDS.toNanos(100);

	/**
	 * How long launches follow each other without a pause: a fraction of what a visit to
	 * the driver's thread may take. A thread that waits for its end is parked by then,
	 * and the request of that moment waits until it has woken.
	 */
	private static final long LONGEST_NANOS = TimeUnit.SECONDS.toNanos(1);

	/** How often the lines of the workers are looked at. */
	private static final long WORKERS_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

	/** A query takes a microsecond, as long as a score of looks at memory. */
	private static final int LOOKS_PER_QUERY = 64;

	private final BridgedRegion region;

	private final RegionBridge bridge;

	/** Ways for responses that are not under way. */
	private final Deque<ResponseBridge> free = new ArrayDeque<>(DEPTH);

	/** Those that were put behind a kernel, and have not been seen to arrive. */
	private final Deque<ResponseBridge> underWay = new ArrayDeque<>(DEPTH);

	/** Whether copies beside the kernel may still be on their way. */
	private boolean besideIsBusy;

	/** Whether a command can reach a kernel that runs. */
	private final boolean isHeard;

	private final long spinNanos;

	private long workersShownAt = System.nanoTime();

	/**
	 * Creates the bridge.
	 * @param isHeard whether anything can reach a kernel that runs
	 * @param spinNanos how long to look for more once all is answered
	 */
	EventDrivenBridge(BridgedRegion region, boolean isHeard, long spinNanos) {
		this.region = region;
		this.bridge = region.bridge();
		this.isHeard = isHeard;
		this.spinNanos = spinNanos;
		this.free.addAll(region.behindKernel(DEPTH));
	}

	@Override
	public DevicePointer memory() {
		return this.region.memory();
	}

	@Override
	public Carrier carrier() {
		return this;
	}

	/**
	 * Stays for as long as launches follow each other closely. What is copied last,
	 * behind a kernel, is looked for in the memory that it is copied to, which takes
	 * nothing but a load; the stream is looked at now and then, since a kernel may have
	 * ended without having answered everything.
	 */
	@Override
	public boolean launch(Runnable kernel, BooleanSupplier mayStay) {
		awaitBeside();
		showWorkersIfDue(this.region.stream());
		this.region.commandInFront();
		this.bridge.toDevice();
		boolean seen = put(this.region.collected(), kernel);
		long begin = System.nanoTime();
		long busyAt = begin;
		for (int round = 1;; round++) {
			boolean over = deliverArrived() && seen;
			long now = System.nanoTime();
			boolean mayFollow = mayFollow(now - begin) && mayStay.getAsBoolean();
			if (mayFollow && this.bridge.hasNews()) {
				seen = follow(kernel, over);
				busyAt = System.nanoTime();
				round = 0;
			}
			else if (over) {
				if (!mayFollow || now - busyAt >= this.spinNanos) {
					return true;
				}
			}
			else if (round % (seen ? LOOKS_PER_QUERY : 1) == 0 && this.region.isDone()) {
				return true;
			}
			else if (now - busyAt >= SHORT_NANOS) {
				return false;
			}
			WaitStrategy.YIELD.pause(round);
		}
	}

	/**
	 * Whether another launch may be put on the stream.
	 */
	private boolean mayFollow(long nanos) {
		return this.isHeard && !this.free.isEmpty() && nanos < LONGEST_NANOS && !this.region.isAwaited();
	}

	/**
	 * Launches the kernel for what was published meanwhile.
	 * @param over whether it is not on the stream any more
	 */
	private boolean follow(Runnable kernel, boolean over) {
		showWorkersIfDue(this.region.beside());
		this.bridge.toDevice();
		if (over) {
			awaitBeside();
			return put(this.region.collected(), kernel);
		}
		this.besideIsBusy = true;
		this.region.collected().forEach((copy) -> copy.enqueue(this.region.beside()));
		return put(List.of(), kernel);
	}

	/**
	 * Under load there is no quiet moment at which the host is shown what the workers
	 * tell.
	 */
	private void showWorkersIfDue(CudaStream stream) {
		long now = System.nanoTime();
		if (now - this.workersShownAt > WORKERS_NANOS) {
			this.region.showWorkers(stream);
			this.workersShownAt = now;
		}
	}

	/**
	 * Has no copy to the device overtake one that was put beside the kernel before.
	 */
	private void awaitBeside() {
		if (this.besideIsBusy) {
			this.region.await(this.region.beside());
			this.besideIsBusy = false;
		}
	}

	/**
	 * Puts a kernel on the stream, and behind it the copies of what it is to answer.
	 * @return whether its end will be seen by what these bring
	 */
	private boolean put(List<CopyQueue.Copy> before, Runnable kernel) {
		ResponseBridge way = this.free.poll();
		if (way == null) {
			this.region.enqueue(before, kernel, List.of());
			return false;
		}
		boolean fetches = way.fetch(this.underWay);
		(fetches ? this.underWay : this.free).add(way);
		this.region.enqueue(before, kernel, this.region.collected());
		return fetches;
	}

	/**
	 * Gives the host what has arrived, in the order in which it was put on the stream.
	 * @return whether nothing is under way any more
	 */
	private boolean deliverArrived() {
		ResponseBridge next = this.underWay.peek();
		while (next != null && next.hasArrived()) {
			deliverNext();
			next = this.underWay.peek();
		}
		return next == null;
	}

	private void deliverNext() {
		ResponseBridge way = this.underWay.remove();
		this.free.add(way);
		this.region.deliver(way, this.region.beside());
	}

	@Override
	public boolean whileRunning() {
		return this.isHeard && this.region.visit(this.region::exchange) > 0;
	}

	@Override
	public void afterEnd() {
		this.region.kernelEnded();
		if (!this.underWay.isEmpty() || this.bridge.unanswered() > 0) {
			this.region.visit(() -> {
				while (!this.underWay.isEmpty()) {
					deliverNext();
				}
				return (this.bridge.unanswered() > 0) ? this.region.exchange() : 0;
			});
		}
	}

	/**
	 * A kernel that has much to do ends sooner for the command. Where the copy does not
	 * get past the kernel, that one ends when it has done what it was launched for; the
	 * command is sent in front of the next launch then, if it still holds.
	 */
	@Override
	public void onCommand() {
		if (!this.isHeard) {
			return;
		}
		try {
			this.region.sendCommand();
		}
		catch (CudaDeadlineException ex) {
			this.besideIsBusy = true;
			logger.debug("The command to stop does not reach a running kernel", ex);
		}
	}

	@Override
	public void settle() {
		this.region.showWorkers(this.region.stream());
	}

	@Override
	public void release() {
		this.region.release();
	}

}
