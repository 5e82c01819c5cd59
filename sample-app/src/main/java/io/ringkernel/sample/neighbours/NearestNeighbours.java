package io.ringkernel.sample.neighbours;

import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;

import io.ringkernel.RingKernelHandler;
import io.ringkernel.spring.RingKernel;

import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;

/**
 * Exact nearest-neighbour search over vectors that stay where the kernel is: only queries
 * and answers travel. Workers search side by side; a change excludes them.
 * <p>
 * Here they stay in the heap, and outlive a launch. On a device, where the image takes
 * the place of this class, they stay in the memory of the handler's state, and are gone
 * once the kernel is terminated. {@link NearestNeighboursInJava} needs no image.
 */
@ConditionalOnProperty(name = "sample.nearest-neighbours.handler", havingValue = "cuda", matchIfMissing = true)
@RingKernel(id = "nearest-neighbours", image = "classpath:kernels/nearest_neighbours.ptx")
class NearestNeighbours implements RingKernelHandler<NeighbourRequest, NeighbourResponse> {

	private final VectorStore store;

	private final ReadWriteLock lock = new ReentrantReadWriteLock();

	NearestNeighbours(NearestNeighboursProperties properties) {
		this.store = new VectorStore(properties.dimensions());
	}

	@Override
	public NeighbourResponse handle(NeighbourRequest request) {
		boolean reads = request.operation() == Operation.QUERY || request.operation() == Operation.SIZE;
		var held = reads ? this.lock.readLock() : this.lock.writeLock();
		held.lock();
		try {
			return switch (request.operation()) {
				case ADD -> done(this.store.addAll(request.ids(), request.vectors(), request.capacity()), Outcome.FULL);
				case REMOVE -> done(this.store.remove(request.ids()[0]), Outcome.UNKNOWN_ID);
				case QUERY -> query(request);
				case CLEAR -> {
					this.store.clear();
					yield done(true, Outcome.DONE);
				}
				case SIZE -> done(true, Outcome.DONE);
			};
		}
		finally {
			held.unlock();
		}
	}

	private NeighbourResponse done(boolean done, Outcome otherwise) {
		return NeighbourResponse.of(done ? Outcome.DONE : otherwise, this.store.size(), this.store.version());
	}

	private NeighbourResponse query(NeighbourRequest request) {
		NearestHeap nearest = new NearestHeap(Math.min(request.k(), this.store.size()));
		this.store.search(request.vectors(), request.shard(), request.shards(), nearest);
		return nearest.drain((ids, distances) -> new NeighbourResponse(Outcome.DONE, this.store.size(),
				this.store.version(), ids, distances));
	}

}
