package io.ringkernel.sample.neighbours;

import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;

import io.ringkernel.RingKernelHandler;
import io.ringkernel.backend.KernelOptions;
import io.ringkernel.backend.KernelSpec;
import io.ringkernel.cpu.CpuBackendProvider;
import io.ringkernel.platform.PlanRequest;
import io.ringkernel.runtime.Kernel;
import io.ringkernel.runtime.RingKernelRuntime;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * How a query is spread over workers, by what they are asked.
 */
class NeighbourSearchTests {

	private static final int DIMENSIONS = 128;

	private static final int PER_SHARD = NeighbourSearch.MIN_ELEMENTS_PER_SHARD / DIMENSIONS;

	private final NearestNeighboursProperties properties = new NearestNeighboursProperties(DIMENSIONS, 10_000);

	private final NearestNeighbours neighbours = new NearestNeighbours(this.properties);

	private final RingKernelRuntime runtime = RingKernelRuntime.open(PlanRequest.AUTO,
			List.of(new CpuBackendProvider()));

	private final Queue<NeighbourRequest> queries = new ConcurrentLinkedQueue<>();

	@AfterEach
	void close() {
		this.runtime.close();
	}

	@Test
	void oneWorkerSearchesFewVectors() {
		NeighbourSearch search = search(4, this.neighbours);
		add(search, 2 * PER_SHARD - 1);
		assertThat(search.query(vector(7), 1)).containsExactly(new Neighbour(7, 0));
		assertThat(this.queries).extracting(NeighbourRequest::shards).containsExactly(1);
	}

	@Test
	void asManyWorkersSearchAsHaveEnoughToDo() {
		NeighbourSearch search = search(4, this.neighbours);
		add(search, 3 * PER_SHARD);
		assertThat(search.query(vector(7), 1)).containsExactly(new Neighbour(7, 0));
		assertThat(this.queries).hasSize(3).extracting(NeighbourRequest::shards).containsOnly(3);
		assertThat(this.queries).extracting(NeighbourRequest::shard).containsExactlyInAnyOrder(0, 1, 2);
	}

	@Test
	void noMoreShardsAreSearchedThanThereAreWorkers() {
		NeighbourSearch search = search(2, this.neighbours);
		add(search, 5 * PER_SHARD);
		assertThat(search.query(vector(3 * PER_SHARD), 1)).containsExactly(new Neighbour(3 * PER_SHARD, 0));
		assertThat(this.queries).extracting(NeighbourRequest::shard).containsExactlyInAnyOrder(0, 1);
	}

	@Test
	void aVectorIsFoundThatMovesToAShardThatWasSearchedAlready() {
		CountDownLatch moved = new CountDownLatch(1);
		NeighbourSearch search = search(2, (request) -> {
			if (request.operation() == Operation.QUERY && request.shard() == 1 && moved.getCount() > 0) {
				assertThat(moved.await(30, TimeUnit.SECONDS)).isTrue();
			}
			NeighbourResponse response = this.neighbours.handle(request);
			if (request.operation() == Operation.QUERY && request.shard() == 0 && moved.getCount() > 0) {
				this.neighbours.handle(NeighbourRequest.remove(0));
				moved.countDown();
			}
			return response;
		});
		int last = 2 * PER_SHARD - 1;
		add(search, last + 1);
		assertThat(search.query(vector(last), 1)).containsExactly(new Neighbour(last, 0));
	}

	@Test
	void oneWorkerSearchesWhereChangesNeverEnd() {
		AtomicInteger changes = new AtomicInteger();
		NeighbourSearch search = search(2, (request) -> {
			NeighbourResponse response = this.neighbours.handle(request);
			return new NeighbourResponse(response.outcome(), response.size(), changes.incrementAndGet(), response.ids(),
					response.distances());
		});
		add(search, 2 * PER_SHARD);
		assertThat(search.query(vector(7), 1)).containsExactly(new Neighbour(7, 0));
		assertThat(this.queries).last().extracting(NeighbourRequest::shards).isEqualTo(1);
	}

	private NeighbourSearch search(int workers, RingKernelHandler<NeighbourRequest, NeighbourResponse> handler) {
		KernelOptions options = KernelOptions.builder().workers(workers).build();
		Kernel<NeighbourRequest, NeighbourResponse> kernel = this.runtime
			.define(KernelSpec.of("neighbours", NeighbourRequest.class, NeighbourResponse.class, (request) -> {
				if (request.operation() == Operation.QUERY) {
					this.queries.add(request);
				}
				return handler.handle(request);
			}, options));
		kernel.launch();
		kernel.activate();
		return new NeighbourSearch(kernel.client(), kernel, this.properties);
	}

	private static void add(NeighbourSearch search, int count) {
		search.add(IntStream.range(0, count).mapToObj((id) -> new IndexedVector(id, vector(id))).toList());
	}

	private static float[] vector(int id) {
		float[] vector = new float[DIMENSIONS];
		vector[id % DIMENSIONS] = id;
		return vector;
	}

}
