package io.ringkernel.sample.neighbours;

import io.ringkernel.Parallel;
import io.ringkernel.RingKernelHandler;
import io.ringkernel.spring.RingKernel;

import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.util.Assert;

/**
 * What {@link NearestNeighbours} has an image in CUDA C++ for, in Java that a device
 * runs. The vectors are fields that workers share, in the memory of the device. Each
 * element of 32 rows lies beside that of the next, so 32 threads with a row each read one
 * line of memory.
 */
@RingKernel(id = "nearest-neighbours")
@ConditionalOnProperty(name = "sample.nearest-neighbours.handler", havingValue = "java")
class NearestNeighboursInJava implements RingKernelHandler<NeighbourRequest, NeighbourResponse> {

	private static final int ROWS = 32;

	private final int[] lock = new int[1];

	private final int dimensions;

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
		return switch (request.operation()) {
			case ADD -> Parallel.exclusive(this.lock, () -> add(request.ids(), request.vectors(), request.capacity()));
			case REMOVE -> Parallel.exclusive(this.lock, () -> remove(row(request.ids()[0], this.size)));
			case CLEAR -> Parallel.exclusive(this.lock, () -> changed(0));
			case QUERY -> Parallel.shared(this.lock, () -> query(request));
			case SIZE -> Parallel.shared(this.lock, () -> response(Outcome.DONE));
		};
	}

	private NeighbourResponse add(int[] added, float[] elements, int capacity) {
		Assert.isTrue(elements.length == added.length * this.dimensions, "The elements are not those of the vectors");
		int[] rows = new int[added.length];
		int next = this.size;
		for (int i = 0; i < added.length; i++) {
			int known = row(added[i], next);
			rows[i] = (known < 0) ? next++ : known;
			if (next > Math.min(capacity, this.ids.length)) {
				return response((capacity > this.ids.length) ? Outcome.TOO_LITTLE_MEMORY : Outcome.FULL);
			}
			this.ids[rows[i]] = added[i];
		}
		for (int i = 0; i < added.length; i++) {
			int row = rows[i];
			int from = i * this.dimensions;
			Parallel.range(this.dimensions, (j) -> this.vectors[at(row, j)] = elements[from + j]);
		}
		return changed(next);
	}

	private NeighbourResponse remove(int row) {
		if (row < 0) {
			return response(Outcome.UNKNOWN_ID);
		}
		int last = this.size - 1;
		Parallel.range(this.dimensions, (j) -> this.vectors[at(row, j)] = this.vectors[at(last, j)]);
		this.ids[row] = this.ids[last];
		return changed(last);
	}

	private NeighbourResponse changed(int newSize) {
		this.size = newSize;
		this.version++;
		return response(Outcome.DONE);
	}

	private NeighbourResponse response(Outcome outcome) {
		return new NeighbourResponse(outcome, this.size, this.version, new int[0], new float[0]);
	}

	private NeighbourResponse query(NeighbourRequest request) {
		float[] vector = request.vectors();
		Assert.isTrue(vector.length == this.dimensions, "The elements are not those of one vector");
		Assert.isTrue(
				request.k() <= NeighbourRequest.MAX_K && request.shard() >= 0 && request.shard() < request.shards(),
				"There is no such shard, or too many neighbours");
		int from = (int) ((long) request.shard() * this.size / request.shards());
		int to = (int) ((request.shard() + 1L) * this.size / request.shards());
		int rows = Math.min(to - from, this.ids.length);
		int[] found = new int[Math.min(Math.min(request.k(), NeighbourRequest.MAX_K), rows)];
		float[] distances = new float[found.length];
		Parallel.smallest(rows, (i) -> squaredDistance(vector, at(from + i, 0)), (i) -> this.ids[from + i], found,
				distances);
		return new NeighbourResponse(Outcome.DONE, this.size, this.version, found, distances);
	}

	private float squaredDistance(float[] vector, int at) {
		float sum = 0;
		for (int i = 0; i < this.dimensions; i++) {
			float difference = this.vectors[at + i * ROWS] - vector[i];
			sum += difference * difference;
		}
		return sum;
	}

	private int row(int id, int rows) {
		return Parallel.maxInt(rows, (row) -> (this.ids[row] == id) ? row : -1);
	}

	private int at(int row, int element) {
		return (row / ROWS * this.dimensions + element) * ROWS + row % ROWS;
	}

}
