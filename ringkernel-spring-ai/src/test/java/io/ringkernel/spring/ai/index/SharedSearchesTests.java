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
import java.util.concurrent.atomic.AtomicLong;
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

	private static final long PASS = 1000;

	private static final Duration LONG = Duration.ofSeconds(30);

	/** How many queries each search has, in the order of searches. */
	private final Queue<Integer> searches = new ConcurrentLinkedQueue<>();

	/** Holds up what is searched for first. */
	private final CountDownLatch release = new CountDownLatch(1);

	/** What a clock says that the test moves, and how often it was looked at. */
	private final AtomicLong now = new AtomicLong();

	private final AtomicLong looks = new AtomicLong();

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

	private List<VectorSearchResponse> searchInVain(List<VectorSearchRequest> queries) {
		searchHeldUp(queries);
		throw new IllegalStateException("In vain");
	}

	private List<CompletableFuture<VectorSearchResponse>> beginPassBeforeThree() {
		return beginPassBeforeThree(this::searchHeldUp);
	}

	/**
	 * A pass of {@value #PASS} nanoseconds of its own clock, and three that wait for the
	 * next.
	 */
	private List<CompletableFuture<VectorSearchResponse>> beginPassBeforeThree(
			Function<List<VectorSearchRequest>, List<VectorSearchResponse>> search) {
		this.shared = new SharedSearches(LONG, SharedSearchesTests::most, () -> {
			this.looks.incrementAndGet();
			return this.now.get();
		});
		waiting(query(0), search);
		List<CompletableFuture<VectorSearchResponse>> next = IntStream.range(1, 4)
			.mapToObj((i) -> waiting(query(i), this::search))
			.toList();
		this.now.addAndGet(PASS);
		long looks = this.looks.get();
		this.release.countDown();
		// One ends a pass, one begins another, and others wait for callers.
		Awaitility.await().atMost(LONG).until(() -> this.looks.get() > looks + 3 || this.searches.size() > 1);
		return next;
	}

	private void pass(long nanos) {
		this.now.addAndGet(nanos);
		long looks = this.looks.get();
		Awaitility.await().atMost(LONG).until(() -> this.looks.get() > looks + 2 || this.searches.size() > 1);
	}

	@Test
	void callersThatComeAgainAreAwaited() {
		List<CompletableFuture<VectorSearchResponse>> next = beginPassBeforeThree();
		// More than an eighth of the pass: an answer is on its way for so long.
		pass(PASS / 4 - 1);
		assertThat(this.searches).containsExactly(1);
		assertThat(this.shared.query(query(9), this::search).rows()).containsExactly(9);
		assertThat(next).extracting(SharedSearchesTests::rowOf).containsExactly(1, 2, 3);
		assertThat(this.searches).containsExactly(1, 4);
	}

	@Test
	void callersThatDoNotComeAgainAreNotAwaitedForLong() {
		List<CompletableFuture<VectorSearchResponse>> next = beginPassBeforeThree();
		pass(PASS / 4);
		assertThat(next).extracting(SharedSearchesTests::rowOf).containsExactly(1, 2, 3);
		assertThat(this.searches).containsExactly(1, 3);
	}

	@Test
	void callersWhoHadNoAnswerAreNotAwaited() {
		List<CompletableFuture<VectorSearchResponse>> next = beginPassBeforeThree(this::searchInVain);
		assertThat(next).extracting(SharedSearchesTests::rowOf).containsExactly(1, 2, 3);
		assertThat(this.searches).containsExactly(1, 3);
	}

	@Test
	void oneThatIsAloneAgainIsSearchedForWithoutOthers() {
		beginPassBeforeThree().forEach((next) -> {
			pass(PASS / 4);
			rowOf(next);
		});
		CompletableFuture<VectorSearchResponse> last = CompletableFuture
			.supplyAsync(() -> this.shared.query(query(9), this::search));
		// What the last pass took is 0 by this clock.
		assertThat(rowOf(last)).isEqualTo(9);
		assertThat(this.searches).containsExactly(1, 3, 1);
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
