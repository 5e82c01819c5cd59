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
import java.util.function.LongSupplier;
import java.util.function.ToIntFunction;

import io.ringkernel.spring.ai.search.SearchOutcome;
import io.ringkernel.spring.ai.search.VectorSearchRequest;
import io.ringkernel.spring.ai.search.VectorSearchResponse;
import org.jspecify.annotations.Nullable;

/**
 * Lets queries of several threads share one pass over the rows. Queries that differ in
 * their vectors alone are searched together: one search for them is under way at a time,
 * and those that arrive meanwhile wait for the next one. Of different queries, two
 * searches are under way. There is no thread of its own: when a search ends, the thread
 * of the oldest query that waits goes on with it.
 * <p>
 * A pass takes as long for one query as for many. So a search waits a moment for callers
 * who had an answer just before and are about to ask again, if there were several, as
 * {@link PassPatience} says.
 * <p>
 * A query whose grant does not come in time, or that was searched together with others in
 * vain, is searched alone. Its caller therefore sees the failures and deadlines of its
 * own request.
 */
final class SharedSearches {

	private static final int UNDER_WAY = 2;

	/** Threads that hand on answers, as one takes long to wake many others up. */
	private static final int HANDING_ON = 8;

	private final Duration patience;

	private final ToIntFunction<VectorSearchRequest> most;

	private final LongSupplier clock;

	private final Deque<Waiting> queue = new ArrayDeque<>();

	/** The first query of each search that is under way. */
	private final List<VectorSearchRequest> underWay = new ArrayList<>();

	/** How many queries the search that ended last had, with those that waited then. */
	private int expected;

	private long lastNanos;

	/** How many queries have ever waited; read without the lock. */
	private volatile int arrivals;

	/** A query is searched alone once it has waited for as long as there is patience. */
	SharedSearches(Duration patience, ToIntFunction<VectorSearchRequest> most) {
		this(patience, most, System::nanoTime);
	}

	SharedSearches(Duration patience, ToIntFunction<VectorSearchRequest> most, LongSupplier clock) {
		this.patience = patience;
		this.most = most;
		this.clock = clock;
	}

	/** Answers a query. The search takes several that differ in their vectors alone. */
	VectorSearchResponse query(VectorSearchRequest query,
			Function<List<VectorSearchRequest>, List<VectorSearchResponse>> search) {
		Waiting own = new Waiting(query);
		Grant grant = begin(own) ? Grant.LEADING : await(own);
		VectorSearchResponse answer = grant.leads() ? lead(own, search) : grant.answer();
		grant.handOn();
		return (answer != null) ? answer : search.apply(List.of(query)).get(0);
	}

	/** Whether the query may begin at once; otherwise it waits. */
	private synchronized boolean begin(Waiting own) {
		if (mayBegin(own.query())) {
			this.underWay.add(own.query());
			return true;
		}
		this.queue.add(own);
		this.arrivals++;
		return false;
	}

	private boolean mayBegin(VectorSearchRequest query) {
		return this.underWay.size() < UNDER_WAY && (this.most.applyAsInt(query) == 1
				|| this.underWay.stream().noneMatch((other) -> differInVectors(query, other)));
	}

	/** Searches for a batch whose first query is that of this thread. */
	private @Nullable VectorSearchResponse lead(Waiting own,
			Function<List<VectorSearchRequest>, List<VectorSearchResponse>> search) {
		List<Waiting> batch = List.of(own);
		List<VectorSearchResponse> answers = List.of();
		long began = this.clock.getAsLong();
		try {
			int fitting = this.most.applyAsInt(own.query());
			if (fitting > 1) {
				awaitOthers(own, fitting, began);
				batch = gather(own, fitting);
			}
			began = this.clock.getAsLong();
			answers = search.apply(batch.stream().map(Waiting::query).toList());
			return proven(answers.get(0));
		}
		finally {
			// The kernel first: it is idle meanwhile. For callers who had no answer the
			// next
			// pass does not wait.
			passOn(own.query(), batch.size(), answers.isEmpty() ? 0 : this.clock.getAsLong() - began);
			handOn(batch, answers);
		}
	}

	private static @Nullable VectorSearchResponse proven(VectorSearchResponse answer) {
		return (answer.outcome() != SearchOutcome.UNPROVEN) ? answer : null;
	}

	/** Yields rather than sleeps: a thread takes longer to wake up. */
	@SuppressWarnings("ThreadPriorityCheck") // A courtesy; nothing depends on it.
	private void awaitOthers(Waiting own, int fitting, long began) {
		PassPatience passPatience = passPatience(fitting);
		int first = this.arrivals;
		int seen = first;
		int waiting = waiting(own.query());
		long lastArrival = began;
		for (long now = began; passPatience.lasts(waiting, now - began, now - lastArrival,
				seen != first); now = this.clock.getAsLong()) {
			int arrived = this.arrivals;
			if (arrived != seen) {
				seen = arrived;
				lastArrival = now;
				waiting = waiting(own.query());
			}
			Thread.yield();
		}
	}

	private synchronized PassPatience passPatience(int fitting) {
		return new PassPatience(Math.min(this.expected, fitting) - 1, this.lastNanos);
	}

	private synchronized int waiting(VectorSearchRequest query) {
		return (int) this.queue.stream().filter((other) -> differInVectors(query, other.query())).count();
	}

	/** The query, and those that wait and can be searched together with it. */
	private synchronized List<Waiting> gather(Waiting own, int fitting) {
		List<Waiting> batch = new ArrayList<>();
		batch.add(own);
		for (Iterator<Waiting> others = this.queue.iterator(); batch.size() < fitting && others.hasNext();) {
			Waiting other = others.next();
			if (differInVectors(own.query(), other.query())) {
				others.remove();
				batch.add(other);
			}
		}
		return batch;
	}

	/** Under the lock: a query that leaves the queue knows whether it has a grant. */
	private synchronized void passOn(VectorSearchRequest ended, int queries, long nanos) {
		this.underWay.remove(ended);
		this.expected = queries + waiting(ended);
		this.lastNanos = nanos;
		for (Iterator<Waiting> others = this.queue.iterator(); others.hasNext();) {
			Waiting next = others.next();
			if (mayBegin(next.query())) {
				others.remove();
				this.underWay.add(next.query());
				next.grant().complete(Grant.LEADING);
			}
		}
	}

	/** Gives the others their answers; the first to have one hand on the rest. */
	private static void handOn(List<Waiting> batch, List<VectorSearchResponse> answers) {
		for (int i = 1; i < batch.size() && i <= HANDING_ON; i++) {
			int first = i;
			Runnable others = () -> {
				for (int other = first + HANDING_ON; other < batch.size(); other += HANDING_ON) {
					batch.get(other).grant().complete(Grant.answered(answer(answers, other), Grant::noOthers));
				}
			};
			if (!batch.get(first).grant().complete(Grant.answered(answer(answers, first), others))) {
				others.run();
			}
		}
	}

	private static @Nullable VectorSearchResponse answer(List<VectorSearchResponse> answers, int index) {
		return answers.isEmpty() ? null : proven(answers.get(index));
	}

	private static boolean differInVectors(VectorSearchRequest a, VectorSearchRequest b) {
		return a.incarnation() == b.incarnation() && a.epoch() == b.epoch() && a.limit() == b.limit()
				&& a.afterRow() == b.afterRow() && a.afterSimilarity() == b.afterSimilarity()
				&& Arrays.equals(a.codes(), b.codes()) && Arrays.equals(a.operands(), b.operands());
	}

	private Grant await(Waiting own) {
		try {
			return own.grant().get(this.patience.toNanos(), TimeUnit.NANOSECONDS);
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
			throw new IllegalStateException("A grant does not fail", ex);
		}
	}

	/** A grant that was given meanwhile is taken, so that others are not left behind. */
	private synchronized Grant leave(Waiting own) {
		this.queue.remove(own);
		own.grant().complete(Grant.ALONE);
		return own.grant().getNow(Grant.ALONE);
	}

	/** A query that waits; compared by identity. */
	private static final class Waiting {

		private final VectorSearchRequest query;

		private final CompletableFuture<Grant> grant = new CompletableFuture<>();

		Waiting(VectorSearchRequest query) {
			this.query = query;
		}

		VectorSearchRequest query() {
			return this.query;
		}

		CompletableFuture<Grant> grant() {
			return this.grant;
		}

	}

	/** An answer, or to search for others as well; with neither, a search alone. */
	private record Grant(boolean leads, @Nullable VectorSearchResponse answer, Runnable others) {

		private static final Grant LEADING = new Grant(true, null, Grant::noOthers);

		private static final Grant ALONE = answered(null, Grant::noOthers);

		static Grant answered(@Nullable VectorSearchResponse answer, Runnable others) {
			return new Grant(false, answer, others);
		}

		void handOn() {
			this.others.run();
		}

		static void noOthers() {
		}

	}

}
