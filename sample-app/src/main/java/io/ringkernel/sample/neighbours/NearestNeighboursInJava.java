package io.ringkernel.sample.neighbours;

import io.ringkernel.Parallel;
import io.ringkernel.RingKernelHandler;
import io.ringkernel.spring.RingKernel;

import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;

/**
 * What {@link NearestNeighbours} has an image in CUDA C++ for, in Java that a device
 * runs. The vectors are state: fields that workers share, in the memory of the device.
 * Workers search side by side; a change excludes them.
 * <p>
 * Each element of 32 rows lies beside that of the next, so 32 threads with a row each
 * read one line of memory.
 */
@RingKernel(id = "nearest-neighbours")
@ConditionalOnProperty(name = "sample.nearest-neighbours.handler", havingValue = "java")
class NearestNeighboursInJava implements RingKernelHandler<NeighbourRequest, NeighbourResponse> {

	private static final int ROWS = 32;

	/** Less than any number of searches. */
	private static final int CHANGING = Integer.MIN_VALUE / 2;

	private final int dimensions;

	/** How many requests search, and {@link #CHANGING} if one changes the vectors. */
	private final int[] lock = new int[1];

	private final int[] ids;

	private final float[] vectors;

	private int size;

	private long version;

	NearestNeighboursInJava(NearestNeighboursProperties properties) {
		this.dimensions = properties.dimensions();
		this.ids = new int[properties.capacity()];
		this.vectors = new float[Math.multiplyExact((this.ids.length + ROWS - 1) / ROWS * ROWS, this.dimensions)];
	}

	@Override
	public NeighbourResponse handle(NeighbourRequest request) {
		boolean isQuery = request.operation() == Operation.QUERY;
		boolean reads = isQuery || request.operation() == Operation.SIZE;
		check(request, isQuery);
		lock(reads);
		Outcome outcome = reads ? Outcome.DONE : change(request);
		int from = isQuery ? (int) ((long) request.shard() * this.size / request.shards()) : 0;
		int to = isQuery ? (int) ((request.shard() + 1L) * this.size / request.shards()) : 0;
		int[] found = new int[isQuery ? Math.min(request.k(), to - from) : 0];
		float[] distances = new float[found.length];
		search(request.vectors(), from, to, found, distances);
		NeighbourResponse response = new NeighbourResponse(outcome, this.size, this.version, found, distances);
		unlock(reads);
		return response;
	}

	/** Nothing fails once the lock is held. */
	private void check(NeighbourRequest request, boolean isQuery) {
		int[] ids = request.ids();
		int expected = switch (request.operation()) {
			case ADD -> ids.length;
			case QUERY -> 1;
			default -> 0;
		};
		if (request.vectors().length != expected * this.dimensions) {
			throw new IllegalArgumentException("The elements are not those of so many vectors");
		}
		if (request.operation() == Operation.REMOVE && ids.length == 0) {
			throw new IllegalArgumentException("A removal names no id");
		}
		if (Parallel.sumInt(ids.length, (i) -> occursBefore(ids, i) ? 1 : 0) > 0) {
			throw new IllegalArgumentException("An id occurs twice");
		}
		if (isQuery && (request.k() < 0 || request.k() > NeighbourRequest.MAX_K || request.shard() < 0
				|| request.shard() >= request.shards())) {
			throw new IllegalArgumentException("There is no such shard, or no such number of neighbours");
		}
	}

	private static boolean occursBefore(int[] ids, int index) {
		boolean occurs = false;
		for (int i = 0; i < index; i++) {
			occurs |= ids[i] == ids[index];
		}
		return occurs;
	}

	private void lock(boolean reads) {
		if (reads) {
			while (Parallel.atomicAdd(this.lock, 0, 1) < 0) {
				Parallel.atomicAdd(this.lock, 0, -1);
			}
		}
		else {
			boolean free;
			do {
				free = Parallel.atomicCompareAndSet(this.lock, 0, 0, CHANGING);
			}
			while (!free);
		}
	}

	private void unlock(boolean reads) {
		Parallel.atomicAdd(this.lock, 0, reads ? -1 : -CHANGING);
	}

	private Outcome change(NeighbourRequest request) {
		Outcome outcome = switch (request.operation()) {
			case ADD -> add(request.ids(), request.vectors(), request.capacity());
			case REMOVE -> remove(request.ids()[0]);
			default -> clear();
		};
		this.version += (outcome == Outcome.DONE) ? 1 : 0;
		return outcome;
	}

	private Outcome add(int[] added, float[] elements, int capacity) {
		int[] rows = new int[added.length];
		Parallel.range(rows.length, (i) -> rows[i] = -1);
		Parallel.range(this.size, (row) -> {
			for (int i = 0; i < added.length; i++) {
				if (this.ids[row] == added[i]) {
					rows[i] = row;
				}
			}
		});
		int next = this.size;
		for (int i = 0; i < rows.length; i++) {
			if (rows[i] < 0) {
				rows[i] = next++;
			}
		}
		if (next > Math.min(capacity, this.ids.length)) {
			return (capacity > this.ids.length) ? Outcome.TOO_LITTLE_MEMORY : Outcome.FULL;
		}
		this.size = next;
		Parallel.range(added.length, (i) -> this.ids[rows[i]] = added[i]);
		Parallel.range(elements.length,
				(i) -> this.vectors[at(rows[i / this.dimensions], i % this.dimensions)] = elements[i]);
		return Outcome.DONE;
	}

	private Outcome remove(int id) {
		int row = Parallel.maxInt(this.size, (i) -> (this.ids[i] == id) ? i : -1);
		if (row < 0) {
			return Outcome.UNKNOWN_ID;
		}
		int last = --this.size;
		Parallel.range(this.dimensions, (i) -> this.vectors[at(row, i)] = this.vectors[at(last, i)]);
		this.ids[row] = this.ids[last];
		return Outcome.DONE;
	}

	private Outcome clear() {
		this.size = 0;
		return Outcome.DONE;
	}

	private int at(int row, int element) {
		return (row / ROWS * this.dimensions + element) * ROWS + row % ROWS;
	}

	/**
	 * Finds the nearest one after another: each is the least of those behind the one
	 * before, by distance and then by id.
	 */
	private void search(float[] vector, int from, int to, int[] found, float[] distances) {
		long[] keys = new long[Math.min(to - from, this.ids.length)];
		Parallel.range(keys.length, (i) -> keys[i] = key(squaredDistance(vector, at(from + i, 0)), this.ids[from + i]));
		long nearest = -1;
		for (int rank = 0; rank < found.length; rank++) {
			long before = nearest;
			nearest = Parallel.minLong(keys.length, (i) -> (keys[i] > before) ? keys[i] : Long.MAX_VALUE);
			found[rank] = (int) nearest ^ Integer.MIN_VALUE;
			distances[rank] = Float.intBitsToFloat((int) (nearest >>> Integer.SIZE));
		}
	}

	private float squaredDistance(float[] vector, int at) {
		float sum = 0;
		for (int i = 0; i < this.dimensions; i++) {
			float difference = this.vectors[at + i * ROWS] - vector[i];
			sum += difference * difference;
		}
		return sum;
	}

	/** As distances are not negative, their bits are in their order. */
	private static long key(float distance, int id) {
		return ((long) Float.floatToRawIntBits(distance) << Integer.SIZE) | ((id ^ Integer.MIN_VALUE) & 0xffffffffL);
	}

}
