package io.ringkernel.cuda.loop;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Predicate;
import java.util.stream.Stream;

import io.ringkernel.Durations;
import io.ringkernel.cuda.driver.Deadline;
import io.ringkernel.cuda.load.LoadedKernel;
import io.ringkernel.exception.KernelLaunchException;
import org.jspecify.annotations.Nullable;

/**
 * The loops of a device. One thread at a time has them yield.
 *
 * @since 0.2.0
 */
public final class DeviceLoops {

	private final List<CudaLoop> loops = new CopyOnWriteArrayList<>();

	public void add(CudaLoop loop) {
		this.loops.add(loop);
	}

	void remove(CudaLoop loop) {
		this.loops.remove(loop);
	}

	public List<LoadedKernel> wanted() {
		return kernels((loop) -> loop.state().isWanted()).toList();
	}

	/** The kernels that stay on the device or are there at the moment, besides one. */
	List<LoadedKernel> residentBeside(LoadedKernel kernel) {
		return beside(kernel, (loop) -> loop.kernel().stays() ? loop.state().isWanted() : loop.state().isOnDevice());
	}

	/** The kernels that are launched on demand and not on the device, besides one. */
	List<LoadedKernel> absentBeside(LoadedKernel kernel) {
		return beside(kernel,
				(loop) -> !loop.kernel().stays() && loop.state().isWanted() && !loop.state().isOnDevice());
	}

	List<LoadedKernel> beside(LoadedKernel kernel) {
		return beside(kernel, (loop) -> loop.state().isWanted());
	}

	private List<LoadedKernel> beside(LoadedKernel kernel, Predicate<CudaLoop> which) {
		return kernels(which).filter((other) -> !other.equals(kernel)).toList();
	}

	private Stream<LoadedKernel> kernels(Predicate<CudaLoop> which) {
		return this.loops.stream().filter(which).map(CudaLoop::kernel);
	}

	/**
	 * Waits until the kernels that stay hold their places, besides one that looks for its
	 * own. They have yielded while that was loaded, and been launched again: it would
	 * find their places free until their blocks are there. What does not come up in time
	 * holds none.
	 */
	void awaitPlaces(LoadedKernel kernel, Deadline deadline) throws InterruptedException {
		for (CudaLoop loop : this.loops) {
			if (loop.state().isWanted() && loop.kernel().stays() && !loop.kernel().equals(kernel)) {
				loop.awaitPlace(deadline);
			}
		}
	}

	/**
	 * A kernel that is launched on demand and finds no place any more; {@code null} if
	 * there is none.
	 */
	@Nullable LoadedKernel starved(Deadline deadline) throws InterruptedException {
		for (CudaLoop loop : this.loops) {
			if (loop.state().isWanted() && !loop.findsPlace(deadline)) {
				return loop.kernel();
			}
		}
		return null;
	}

	/** Whether any kernel would have to yield for the device to be idle. */
	public boolean areInUse() {
		return this.loops.stream().anyMatch((loop) -> loop.state().isInUse());
	}

	/**
	 * Has all kernels end, and not be launched before the ticket is closed. A kernel that
	 * has been told to end before, and has not in its time, is not waited for again: no
	 * other kernel is interrupted for it.
	 * @param id the kernel that is to be loaded
	 * @param patience how long they may take in all
	 * @throws KernelLaunchException if one has not ended in time; all go on then, as
	 * after an interrupt
	 */
	YieldTicket haveYielded(String id, Duration patience) throws InterruptedException {
		List<CudaLoop> inUse = this.loops.stream().filter((loop) -> loop.state().isInUse()).toList();
		for (CudaLoop loop : inUse) {
			if (loop.isOverdue()) {
				throw new KernelLaunchException(id,
						"the driver loads nothing while kernel '%s' runs, and that has not ended since it was told to. A handler of it may never return: restart the application then."
							.formatted(loop.kernel().id()),
						null);
			}
		}
		inUse.forEach(CudaLoop::makeWay);
		YieldTicket ticket = new YieldTicket(inUse);
		try {
			Deadline deadline = Deadline.in(patience);
			for (CudaLoop loop : inUse) {
				if (!loop.awaitEnd(deadline)) {
					throw new KernelLaunchException(id,
							"the driver loads nothing while kernel '%s' runs, and that did not yield within %s. Terminate it, or raise stop-timeout if its handler needs longer."
								.formatted(loop.kernel().id(), Durations.format(patience)),
							null);
				}
			}
			return ticket;
		}
		catch (KernelLaunchException | InterruptedException ex) {
			ticket.close();
			throw ex;
		}
	}

	/** The same without waiting for any; {@code null} if one may run. */
	@Nullable YieldTicket yieldIfOut() {
		List<CudaLoop> out = new ArrayList<>();
		for (CudaLoop loop : this.loops) {
			if (!loop.yieldIfOut()) {
				out.forEach(CudaLoop::resume);
				return null;
			}
			out.add(loop);
		}
		return new YieldTicket(out);
	}

}
