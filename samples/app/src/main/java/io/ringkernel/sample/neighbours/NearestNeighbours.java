package io.ringkernel.sample.neighbours;

import io.ringkernel.Parallel;
import io.ringkernel.RingKernelHandler;
import io.ringkernel.spring.RingKernel;

import org.springframework.util.Assert;

/**
 * Exact nearest-neighbour search over vectors that stay where the kernel is: only queries
 * and answers travel. The vectors are a field that workers share, in the memory of the
 * device or in the heap. Workers search side by side; a change excludes them.
 */
@RingKernel(id = "nearest-neighbours")
class NearestNeighbours implements RingKernelHandler<NeighbourRequest, NeighbourResponse> {

	private final int[] lock = new int[1];

	private final VectorRows rows;

	private int size;

	private long version;

	NearestNeighbours(NearestNeighboursProperties properties) {
		this.rows = VectorRows.of(properties);
	}

	@Override
	public NeighbourResponse handle(NeighbourRequest request) {
		return switch (request.operation()) {
			case ADD -> Parallel.exclusive(this.lock, () -> add(request.ids(), request.vectors()));
			case REMOVE -> Parallel.exclusive(this.lock, () -> remove(this.rows.find(request.ids()[0], 0, this.size)));
			case CLEAR -> Parallel.exclusive(this.lock, () -> changed(0));
			case QUERY -> Parallel.shared(this.lock, () -> query(request));
			case SIZE -> Parallel.shared(this.lock, () -> response(Outcome.DONE));
		};
	}

	private NeighbourResponse add(int[] ids, float[] vectors) {
		int dimensions = this.rows.dimensions();
		Assert.isTrue(vectors.length == ids.length * dimensions, "The elements are not those of the vectors");
		int[] places = new int[ids.length];
		this.rows.findAll(ids, this.size, places);
		int next = this.size;
		for (int i = 0; i < ids.length; i++) {
			int known = (places[i] < 0) ? this.rows.find(ids[i], this.size, next) : places[i];
			places[i] = (known < 0) ? next++ : known;
			if (next > this.rows.ids().length) {
				return response(Outcome.FULL);
			}
			this.rows.ids()[places[i]] = ids[i];
		}
		for (int i = 0; i < ids.length; i++) {
			this.rows.put(places[i], vectors, i * dimensions);
		}
		return changed(next);
	}

	private NeighbourResponse remove(int row) {
		if (row < 0) {
			return response(Outcome.UNKNOWN_ID);
		}
		this.rows.copy(this.size - 1, row);
		return changed(this.size - 1);
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
		int shard = request.shard();
		Assert.isTrue(vector.length == this.rows.dimensions(), "The elements are not those of one vector");
		Assert.isTrue(shard >= 0 && shard < request.shards(), "There is no such shard");
		Assert.isTrue(request.k() <= NeighbourRequest.MAX_K, "There are too many neighbours");
		int from = (int) ((long) shard * this.size / request.shards());
		int to = (int) ((shard + 1L) * this.size / request.shards());
		int count = Math.min(to - from, this.rows.ids().length);
		int[] ids = new int[Math.min(Math.min(request.k(), NeighbourRequest.MAX_K), count)];
		float[] distances = new float[ids.length];
		Parallel.smallest(count, (i) -> this.rows.squaredDistance(from + i, vector), (i) -> this.rows.ids()[from + i],
				ids, distances);
		return new NeighbourResponse(Outcome.DONE, this.size, this.version, ids, distances);
	}

}
