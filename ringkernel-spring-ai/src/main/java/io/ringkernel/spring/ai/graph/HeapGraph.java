package io.ringkernel.spring.ai.graph;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.function.IntPredicate;

import io.ringkernel.spring.ai.search.SimilarityMetric;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A hierarchical graph in the heap, by JVector. A vector that was added waits until a
 * thread has connected it with its neighbours. Meanwhile each search compares with it.
 * What has no rows any more stays in the graph as a way to others, until there is so much
 * of it that it is removed at once.
 */
final class HeapGraph implements RowGraph {

	private static final Logger logger = LoggerFactory.getLogger(HeapGraph.class);

	/**
	 * A search compares with what waits on one thread; with more, the kernel is quicker.
	 */
	private static final int WAITING_SHARE = 8;

	/** The nearest of many that are alike is among so many by rounded vectors. */
	private static final int LEAST_KEPT = 40;

	/** The graph is cleaned once such a share of it has no rows. */
	private static final int EMPTY_SHARE = 8;

	/** Fewer points are not worth it. */
	private static final int MIN_EMPTY = 256;

	private static final int SECONDS_TO_END = 10;

	private final SimilarityMetric metric;

	private final int dimensions;

	private final GraphPoints points;

	private final GraphScores scores;

	/** Read before the graph is searched: a point leaves them once the graph has it. */
	private final Set<GraphPoint> waiting = ConcurrentHashMap.newKeySet();

	/** Without rows, and not removed from the graph yet. */
	private final Queue<GraphPoint> empty = new ConcurrentLinkedQueue<>();

	private final AtomicInteger emptyCount = new AtomicInteger();

	/** Any number of threads connect points, and one alone removes some. */
	private final ReadWriteLock structure = new ReentrantReadWriteLock(true);

	/** They live as long as the graph, because JVector keeps something of each. */
	private final ExecutorService threads;

	private final ForkJoinPool removing;

	private volatile PointGraph graph;

	HeapGraph(SimilarityMetric metric, int dimensions) {
		this.metric = metric;
		this.dimensions = dimensions;
		GraphVectors vectors = new GraphVectors(metric, dimensions);
		this.points = new GraphPoints(vectors);
		this.scores = new GraphScores(metric, vectors, this.points);
		// Half of the processors are left to searches.
		int parallelism = Math.max(1, Runtime.getRuntime().availableProcessors() / 2);
		this.threads = Executors.newFixedThreadPool(parallelism, HeapGraph::thread);
		this.removing = new ForkJoinPool(parallelism);
		this.graph = create();
	}

	private static Thread thread(Runnable task) {
		Thread thread = new Thread(task, "ringkernel-vector-graph");
		thread.setDaemon(true);
		return thread;
	}

	private PointGraph create() {
		return new PointGraph(this.scores, this.points, this.dimensions, this.removing);
	}

	@Override
	public void add(int row, float[] vectors, int offset, long version) {
		if (this.points.contains(row)) {
			return;
		}
		float[] vector = new float[this.dimensions];
		System.arraycopy(vectors, offset, vector, 0, this.dimensions);
		this.metric.prepare(vector, 0, this.dimensions);
		GraphPoint added = this.points.add(row, vector, version);
		if (added != null) {
			this.scores.measureBy(added.vector());
			await(added);
		}
	}

	private void await(GraphPoint point) {
		this.waiting.add(point);
		execute(() -> connect(point));
	}

	private void execute(Runnable task) {
		try {
			this.threads.execute(task);
		}
		catch (RejectedExecutionException ex) {
			logger.debug("The graph is closed, so it does not change any more", ex);
		}
	}

	private void connect(GraphPoint point) {
		this.structure.readLock().lock();
		try {
			// Another thread has it as well if the graph has begun anew meanwhile.
			synchronized (point) {
				PointGraph current = this.graph;
				if (!point.isEmpty() && !point.isConnected(current)) {
					// Also if it fails midway, in which case the point goes on to wait.
					point.connected(current);
					current.connect(point);
				}
			}
			this.waiting.remove(point);
		}
		catch (RuntimeException ex) {
			logger.error("A vector was not connected with others, so each search compares with it", ex);
		}
		finally {
			this.structure.readLock().unlock();
		}
	}

	@Override
	public void retire(Collection<Integer> rows, long version) {
		this.points.retire(rows, version);
	}

	@Override
	public void release(int row) {
		GraphPoint point = this.points.release(row);
		if (point == null) {
			return;
		}
		this.empty.add(point);
		int count = this.emptyCount.incrementAndGet();
		if (count >= MIN_EMPTY && count >= this.points.count() / EMPTY_SHARE) {
			this.emptyCount.set(0);
			execute(this::removeEmpty);
		}
	}

	private void removeEmpty() {
		this.structure.writeLock().lock();
		try {
			List<GraphPoint> removed = new ArrayList<>();
			for (GraphPoint point = this.empty.poll(); point != null; point = this.empty.poll()) {
				removed.add(point);
			}
			if (removed.size() > this.points.count()) {
				beginAnew();
			}
			else {
				remove(removed);
			}
			this.points.free(removed);
		}
		finally {
			this.structure.writeLock().unlock();
		}
	}

	private void remove(List<GraphPoint> removed) {
		try {
			PointGraph current = this.graph;
			current.remove(removed.stream().filter((point) -> point.isConnected(current)).toList());
		}
		catch (RuntimeException ex) {
			logger.error("Vectors were not removed from the graph, so it is built anew", ex);
			beginAnew();
		}
	}

	/** To connect what is left takes less than to remove the rest. */
	private void beginAnew() {
		PointGraph before = this.graph;
		List<GraphPoint> left = this.points.all();
		this.waiting.addAll(left);
		this.graph = create();
		left.forEach(this::await);
		close(before);
	}

	@Override
	public int @Nullable [] candidates(float[] vector, int count, long version, IntPredicate filter) {
		PointGraph searched = this.graph;
		if (this.waiting.size() > this.points.count() / WAITING_SHARE) {
			return null;
		}
		RoundedVector rounded = RoundedVector.of(this.metric, vector);
		RowLooks looks = new RowLooks(version, filter);
		NearestPoints nearest = new NearestPoints(Math.max(LEAST_KEPT, FOUND_PER_ROW * count));
		for (GraphPoint point : this.waiting) {
			float score = this.scores.score(rounded.similarity(this.metric, point.vector()));
			if (nearest.isNear(score) && looks.hasRow(point)) {
				nearest.add(point, score);
			}
		}
		if (!this.graph.equals(searched)) {
			// What has left those that wait went to another graph.
			return null;
		}
		searched.search(rounded, FOUND_PER_ROW * count, looks, nearest);
		return looks.rows(nearest.points());
	}

	@Override
	public int size() {
		return this.points.size();
	}

	@Override
	public int waiting() {
		return this.waiting.size();
	}

	@Override
	public void close() {
		this.threads.shutdownNow();
		try {
			if (!this.threads.awaitTermination(SECONDS_TO_END, TimeUnit.SECONDS)) {
				logger.warn("A thread of the graph has not ended within {} s", SECONDS_TO_END);
			}
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
		this.removing.shutdown();
		close(this.graph);
	}

	private static void close(PointGraph graph) {
		try {
			graph.close();
		}
		catch (IOException ex) {
			logger.warn("The graph was not closed", ex);
		}
	}

}
