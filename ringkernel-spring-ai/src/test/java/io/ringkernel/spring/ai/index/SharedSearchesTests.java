package io.ringkernel.spring.ai.index;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.stream.IntStream;

import io.ringkernel.spring.ai.search.FilterProgram;
import io.ringkernel.spring.ai.search.SearchOutcome;
import io.ringkernel.spring.ai.search.VectorSearchRequest;
import io.ringkernel.spring.ai.search.VectorSearchResponse;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/**
 * Tests for {@link SharedSearches}.
 */
class SharedSearchesTests {

	private static final int UNDER_WAY = 2;

	private static final int DIMENSIONS = 4;

	private static final int MOST = 8;

	private static final Duration LONG = Duration.ofSeconds(30);

	/** How many queries each search has, in the order of searches. */
	private final Queue<Integer> searches = new ConcurrentLinkedQueue<>();

	/** Holds up what is searched for first. */
	private final CountDownLatch release = new CountDownLatch(1);

	private final List<Thread> threads = new ArrayList<>();

	private SharedSearches shared = new SharedSearches(LONG, SharedSearchesTests::most);

	@AfterEach
	void end() throws InterruptedException {
		this.release.countDown();
		for (Thread thread : this.threads) {
			thread.join(LONG.toMillis());
		}
	}

	private static int most(VectorSearchRequest query) {
		return (query.vectors().length == DIMENSIONS) ? MOST : 1;
	}

	/** Finds one row, which is the first element of the vector. */
	private static VectorSearchResponse found(VectorSearchRequest query) {
		return new VectorSearchResponse(SearchOutcome.DONE, new int[] { (int) query.vectors()[0] }, new float[1]);
	}

	private List<VectorSearchResponse> search(List<VectorSearchRequest> queries) {
		this.searches.add(queries.size());
		return queries.stream().map(SharedSearchesTests::found).toList();
	}

	private List<VectorSearchResponse> searchHeldUp(List<VectorSearchRequest> queries) {
		List<VectorSearchResponse> found = search(queries);
		try {
			assertThat(this.release.await(LONG.toSeconds(), TimeUnit.SECONDS)).isTrue();
		}
		catch (InterruptedException ex) {
			throw new IllegalStateException(ex);
		}
		return found;
	}

	private List<VectorSearchResponse> searchUnproven(List<VectorSearchRequest> queries) {
		List<VectorSearchResponse> found = search(queries);
		return (queries.size() > 1)
				? Collections.nCopies(queries.size(), VectorSearchResponse.of(SearchOutcome.UNPROVEN)) : found;
	}

	private List<VectorSearchResponse> searchOneOnly(List<VectorSearchRequest> queries) {
		List<VectorSearchResponse> found = search(queries);
		if (queries.size() > 1) {
			throw new IllegalStateException("Too many");
		}
		return found;
	}

	private static VectorSearchRequest query(int number, int epoch, FilterProgram filter, int dimensions) {
		float[] vector = new float[dimensions];
		vector[0] = number;
		return VectorSearchRequest.query(1, epoch, vector, filter, 10, Float.POSITIVE_INFINITY, -1);
	}

	private static VectorSearchRequest query(int number) {
		return query(number, 1, FilterProgram.EVERYTHING, DIMENSIONS);
	}

	/** Returns as soon as the call waits, for its turn or for the release. */
	private CompletableFuture<VectorSearchResponse> waiting(VectorSearchRequest query,
			Function<List<VectorSearchRequest>, List<VectorSearchResponse>> search) {
		CompletableFuture<VectorSearchResponse> answer = new CompletableFuture<>();
		Thread thread = new Thread(() -> {
			try {
				answer.complete(this.shared.query(query, search));
			}
			catch (RuntimeException ex) {
				answer.completeExceptionally(ex);
			}
		});
		this.threads.add(thread);
		thread.start();
		Awaitility.await().atMost(LONG).until(() -> answer.isDone() || thread.getState() == Thread.State.TIMED_WAITING);
		return answer;
	}

	private List<CompletableFuture<VectorSearchResponse>> holdUp() {
		return IntStream.range(0, UNDER_WAY)
			.mapToObj((i) -> waiting(query(100 + i, 1 + i, FilterProgram.EVERYTHING, DIMENSIONS), this::searchHeldUp))
			.toList();
	}

	private static int rowOf(CompletableFuture<VectorSearchResponse> answer) {
		return answer.orTimeout(LONG.toSeconds(), TimeUnit.SECONDS).join().rows()[0];
	}

	@Test
	void searchesForAnyThatIsAloneAtOnce() {
		assertThat(this.shared.query(query(7), this::search).rows()).containsExactly(7);
		assertThat(this.shared.query(query(8), this::search).rows()).containsExactly(8);
		assertThat(this.searches).containsExactly(1, 1);
	}

	@Test
	void thoseThatArriveWhileOthersAreUnderWayShareTheNextSearches() {
		List<CompletableFuture<VectorSearchResponse>> first = holdUp();
		List<CompletableFuture<VectorSearchResponse>> others = IntStream.range(0, 11)
			.mapToObj((i) -> waiting(query(i), this::search))
			.toList();
		assertThat(this.searches).containsExactly(1, 1);
		this.release.countDown();
		for (int i = 0; i < others.size(); i++) {
			assertThat(rowOf(others.get(i))).isEqualTo(i);
		}
		assertThat(first).extracting(SharedSearchesTests::rowOf).containsExactly(100, 101);
		assertThat(this.searches).containsExactlyInAnyOrder(1, 1, MOST, 3);
	}

	@Test
	void thoseOfOtherMomentsAndFiltersDoNot() {
		holdUp();
		FilterProgram.Builder filter = new FilterProgram.Builder();
		filter.range(1, 0, 1);
		FilterProgram filtered = filter.build();
		List<VectorSearchRequest> queries = List.of(query(0), query(1, 2, FilterProgram.EVERYTHING, DIMENSIONS),
				query(2, 1, filtered, DIMENSIONS), query(3), query(4, 1, filtered, DIMENSIONS));
		List<CompletableFuture<VectorSearchResponse>> answers = queries.stream()
			.map((query) -> waiting(query, this::search))
			.toList();
		this.release.countDown();
		assertThat(answers).extracting(SharedSearchesTests::rowOf).containsExactly(0, 1, 2, 3, 4);
		assertThat(this.searches).containsExactlyInAnyOrder(1, 1, 2, 1, 2);
	}

	@Test
	void vectorsThatAreNotWholeUnitsAreSearchedForOneByOne() {
		holdUp();
		List<CompletableFuture<VectorSearchResponse>> answers = IntStream.range(0, 3)
			.mapToObj((i) -> waiting(query(i, 1, FilterProgram.EVERYTHING, DIMENSIONS + 1), this::search))
			.toList();
		this.release.countDown();
		assertThat(answers).extracting(SharedSearchesTests::rowOf).containsExactly(0, 1, 2);
		assertThat(this.searches).containsOnly(1);
	}

	@Test
	void eachIsSearchedForAloneIfTheyCannotBeTogether() {
		holdUp();
		List<CompletableFuture<VectorSearchResponse>> answers = IntStream.range(0, 3)
			.mapToObj((i) -> waiting(query(i), this::searchOneOnly))
			.toList();
		this.release.countDown();
		// The first one has led the search: the failure is that of its own request.
		assertThatIllegalStateException().isThrownBy(() -> {
			try {
				rowOf(answers.get(0));
			}
			catch (CompletionException ex) {
				throw (RuntimeException) ex.getCause();
			}
		});
		assertThat(rowOf(answers.get(1))).isEqualTo(1);
		assertThat(rowOf(answers.get(2))).isEqualTo(2);
		assertThat(this.shared.query(query(9), this::search).rows()).containsExactly(9);
	}

	@Test
	void thatWhichIsUnprovenIsSearchedForAlone() {
		holdUp();
		List<CompletableFuture<VectorSearchResponse>> answers = IntStream.range(0, 3)
			.mapToObj((i) -> waiting(query(i), this::searchUnproven))
			.toList();
		this.release.countDown();
		assertThat(answers).extracting(SharedSearchesTests::rowOf).containsExactly(0, 1, 2);
		assertThat(this.searches).containsExactlyInAnyOrder(1, 1, 3, 1, 1, 1);
	}

	@Test
	void callersThatComeAgainAreAwaited() {
		holdUp();
		List<CompletableFuture<VectorSearchResponse>> answers = IntStream.range(0, MOST)
			.mapToObj((i) -> waiting(query(i), this::search))
			.toList();
		this.release.countDown();
		answers.forEach(SharedSearchesTests::rowOf);
		CountDownLatch begun = new CountDownLatch(1);
		CompletableFuture<VectorSearchResponse> first = CompletableFuture
			.supplyAsync(() -> this.shared.query(query(1), (queries) -> {
				begun.countDown();
				return search(queries);
			}));
		// One that is alone does not wait for good.
		assertThat(rowOf(first)).isEqualTo(1);
		assertThat(begun.getCount()).isZero();
	}

	@Test
	void oneWhoseTurnDoesNotComeIsSearchedForAlone() {
		this.shared = new SharedSearches(Duration.ofMillis(1), SharedSearchesTests::most);
		holdUp();
		assertThat(this.shared.query(query(5), this::search).rows()).containsExactly(5);
	}

	@Test
	void threadThatIsInterruptedSearchesAloneAndStaysInterrupted() {
		holdUp();
		Thread.currentThread().interrupt();
		assertThat(this.shared.query(query(5), this::search).rows()).containsExactly(5);
		assertThat(Thread.interrupted()).isTrue();
	}

}
