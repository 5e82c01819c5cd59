package io.ringkernel.spring.ai.index;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;

import io.ringkernel.spring.ai.search.VectorSearchRequest;
import io.ringkernel.spring.ai.search.VectorSearchResponse;
import org.jspecify.annotations.Nullable;

/**
 * Lets queries of several threads share one pass over the rows. Two searches are under
 * way at a time, so that the kernel has the next one while an answer is taken. Queries
 * that arrive meanwhile wait, and those that differ in their vectors alone are then
 * searched together. There is no thread of its own: when a search ends, the thread of the
 * oldest query that waits goes on with it.
 * <p>
 * A query whose turn does not come in time, or that was searched together with others in
 * vain, is searched alone. Its caller therefore sees the failures and deadlines of its
 * own request.
 */
final class SharedSearches {

	private static final int UNDER_WAY = 2;

	private final Duration patience;

	private final Deque<Waiting> queue = new ArrayDeque<>();

	private int underWay;

	/**
	 * Creates an instance without queries.
	 * @param patience how long a query waits for the others before it is searched alone
	 */
	SharedSearches(Duration patience) {
		this.patience = patience;
	}

	/**
	 * Answers a query.
	 * @param query the query, of all rows
	 * @param search searches for several queries, which differ in their vectors alone,
	 * and answers them in their order
	 * @return the answer
	 */
	VectorSearchResponse query(VectorSearchRequest query,
			Function<List<VectorSearchRequest>, List<VectorSearchResponse>> search) {
		Waiting own = new Waiting(query);
		if (begin(own)) {
			return lead(List.of(own), search);
		}
		Turn turn = await(own);
		if (turn == null) {
			return search.apply(List.of(query)).get(0);
		}
		return (turn.answer() != null) ? turn.answer() : lead(turn.batch(), search);
	}

	/**
	 * @return whether the query may begin at once; otherwise it waits
	 */
	private synchronized boolean begin(Waiting own) {
		if (this.underWay < UNDER_WAY) {
			this.underWay++;
			return true;
		}
		this.queue.add(own);
		return false;
	}

	/** Searches for a batch whose first query is that of this thread. */
	private VectorSearchResponse lead(List<Waiting> batch,
			Function<List<VectorSearchRequest>, List<VectorSearchResponse>> search) {
		List<VectorSearchResponse> answers = List.of();
		try {
			answers = search.apply(batch.stream().map(Waiting::query).toList());
			return answers.get(0);
		}
		finally {
			// The kernel first: it is idle once the other search has ended.
			passOn();
			for (int i = 1; i < batch.size(); i++) {
				batch.get(i).turn().complete(answers.isEmpty() ? Turn.ALONE : Turn.answered(answers.get(i)));
			}
		}
	}

	/** A turn is given under the lock: who leaves the queue knows whether it has one. */
	private synchronized void passOn() {
		Waiting next = this.queue.poll();
		if (next == null) {
			this.underWay--;
			return;
		}
		List<Waiting> batch = new ArrayList<>();
		batch.add(next);
		int most = most(next.query());
		for (Iterator<Waiting> others = this.queue.iterator(); batch.size() < most && others.hasNext();) {
			Waiting other = others.next();
			if (differInVectors(next.query(), other.query())) {
				others.remove();
				batch.add(other);
			}
		}
		next.turn().complete(Turn.leading(batch));
	}

	private static int most(VectorSearchRequest query) {
		int elements = query.vectors().length;
		if (elements % VectorSearchRequest.ELEMENTS_PER_LOAD != 0) {
			return 1;
		}
		int fitting = Math.min(VectorSearchRequest.MAX_FLOATS / elements,
				VectorSearchRequest.MAX_RESULTS / query.limit());
		return Math.max(1, Math.min(fitting, VectorSearchRequest.MAX_QUERIES));
	}

	private static boolean differInVectors(VectorSearchRequest a, VectorSearchRequest b) {
		return a.incarnation() == b.incarnation() && a.epoch() == b.epoch() && a.limit() == b.limit()
				&& a.afterRow() == b.afterRow() && a.afterSimilarity() == b.afterSimilarity()
				&& Arrays.equals(a.codes(), b.codes()) && Arrays.equals(a.operands(), b.operands());
	}

	/**
	 * @return {@code null} if the query is to be searched alone
	 */
	private @Nullable Turn await(Waiting own) {
		try {
			return own.turn().get(this.patience.toNanos(), TimeUnit.NANOSECONDS).orAlone();
		}
		catch (InterruptedException ex) {
			// What this thread waits for next sees it.
			Thread.currentThread().interrupt();
			return leave(own);
		}
		catch (TimeoutException ex) {
			return leave(own);
		}
		catch (ExecutionException ex) {
			throw new IllegalStateException("A turn does not fail", ex);
		}
	}

	/** Whoever has the lead meanwhile keeps it, so that others are not left behind. */
	private synchronized @Nullable Turn leave(Waiting own) {
		this.queue.remove(own);
		return own.turn().getNow(Turn.ALONE).orAlone();
	}

	/** A query that waits; compared by identity. */
	private static final class Waiting {

		private final VectorSearchRequest query;

		private final CompletableFuture<Turn> turn = new CompletableFuture<>();

		Waiting(VectorSearchRequest query) {
			this.query = query;
		}

		VectorSearchRequest query() {
			return this.query;
		}

		CompletableFuture<Turn> turn() {
			return this.turn;
		}

	}

	/** What a query has waited for: an answer, or to search for a batch. */
	private record Turn(@Nullable VectorSearchResponse answer, List<Waiting> batch) {

		private static final Turn ALONE = new Turn(null, List.of());

		static Turn answered(VectorSearchResponse answer) {
			return new Turn(answer, List.of());
		}

		static Turn leading(List<Waiting> batch) {
			return new Turn(null, batch);
		}

		@Nullable Turn orAlone() {
			return (this.answer != null || !this.batch.isEmpty()) ? this : null;
		}

	}

}
