package io.ringkernel.cuda.simulated;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/**
 * The multiprocessors of a simulated device. Blocks take places breadth-first, as on a
 * real one: each goes where most room is left. One that finds none waits.
 */
final class SimulatedMultiprocessors {

	private static final double ROUNDING = 1e-9;

	/** For how long a grid waits for the places of all of its blocks. */
	private static final long PLACE_NANOS = 50_000_000;

	private final double[] load;

	SimulatedMultiprocessors(int count) {
		this.load = new double[count];
	}

	/**
	 * Runs a grid.
	 * @param blocks how many blocks it has
	 * @param perMultiprocessor how many of them fit on an empty multiprocessor
	 * @param whole what runs if all find a place
	 * @param part what runs if only so many do, until it is told to stop
	 * @param over whether nothing is to be waited for
	 */
	void run(int blocks, int perMultiprocessor, Runnable whole, Consumer<Integer> part, BooleanSupplier over) {
		List<Integer> places = takeWithin(PLACE_NANOS, blocks, perMultiprocessor);
		try {
			if (places.size() == blocks) {
				whole.run();
				return;
			}
			part.accept(places.size());
			while (places.isEmpty() && !over.getAsBoolean()) {
				LockSupport.parkNanos(100_000);
				places = take(1, perMultiprocessor);
			}
		}
		finally {
			release(places, perMultiprocessor);
		}
	}

	/**
	 * A grid that has told of its end leaves its places a moment later.
	 */
	private List<Integer> takeWithin(long nanos, int blocks, int perMultiprocessor) {
		long begin = System.nanoTime();
		List<Integer> places = take(blocks, perMultiprocessor);
		while (places.size() < blocks && System.nanoTime() - begin < nanos) {
			release(places, perMultiprocessor);
			LockSupport.parkNanos(100_000);
			places = take(blocks, perMultiprocessor);
		}
		return places;
	}

	private synchronized List<Integer> take(int blocks, int perMultiprocessor) {
		List<Integer> places = new ArrayList<>();
		for (int block = 0; block < blocks; block++) {
			int emptiest = 0;
			for (int i = 1; i < this.load.length; i++) {
				emptiest = (this.load[i] < this.load[emptiest] - ROUNDING) ? i : emptiest;
			}
			if (this.load[emptiest] + 1.0 / perMultiprocessor > 1 + ROUNDING) {
				break;
			}
			this.load[emptiest] += 1.0 / perMultiprocessor;
			places.add(emptiest);
		}
		return places;
	}

	private synchronized void release(List<Integer> places, int perMultiprocessor) {
		places.forEach((place) -> this.load[place] -= 1.0 / perMultiprocessor);
	}

}
