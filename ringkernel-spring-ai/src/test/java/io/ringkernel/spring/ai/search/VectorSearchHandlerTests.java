package io.ringkernel.spring.ai.search;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/**
 * Tests for {@link VectorSearchHandler}.
 */
class VectorSearchHandlerTests {

	private static final float[] NORTH = { 0, 1 };

	private final VectorSearchHandler handler = new VectorSearchHandler();

	VectorSearchHandlerTests() {
		this.handler.handle(VectorSearchRequest.reset(1, SimilarityMetric.DOT_PRODUCT, ElementType.FLOAT32, 2));
	}

	private void stage(int epoch, int row, float x, float y, long... cells) {
		int[] codes = new int[cells.length];
		for (int column = 0; column < cells.length; column++) {
			codes[column] = VectorSearchRequest.cell(0, column);
		}
		this.handler.handle(VectorSearchRequest.stage(1, epoch, new int[] { row }, new float[] { x, y }, codes, cells));
	}

	private void retire(int epoch, int row) {
		this.handler.handle(VectorSearchRequest.retire(1, epoch, new int[] { row }));
	}

	private VectorSearchResponse query(int epoch, FilterProgram filter) {
		return this.handler.handle(VectorSearchRequest.query(1, epoch, NORTH, filter, 10, Float.POSITIVE_INFINITY, -1));
	}

	private int[] rowsAt(int epoch) {
		return query(epoch, FilterProgram.EVERYTHING).rows();
	}

	private static FilterProgram range(int column, long low, long high) {
		FilterProgram.Builder program = new FilterProgram.Builder();
		program.range(column, low, high);
		return program.build();
	}

	@Test
	void findsTheMostSimilarFirst() {
		stage(1, 0, 0, 1);
		stage(1, 200, 0, 3);
		stage(1, 70, 5, 2);
		VectorSearchResponse found = query(1, FilterProgram.EVERYTHING);
		assertThat(found.outcome()).isEqualTo(SearchOutcome.DONE);
		assertThat(found.rows()).containsExactly(200, 70, 0);
		assertThat(found.similarities()).containsExactly(3, 2, 1);
	}

	@Test
	void rowIsVisibleFromTheEpochThatStagesItToTheOneThatRetiresIt() {
		stage(2, 5, 0, 1);
		retire(4, 5);
		assertThat(rowsAt(1)).isEmpty();
		assertThat(rowsAt(2)).containsExactly(5);
		assertThat(rowsAt(3)).containsExactly(5);
		assertThat(rowsAt(4)).isEmpty();
	}

	@Test
	void rowThatIsUsedAgainForgetsItsCells() {
		stage(1, 5, 0, 1, 42, 7);
		retire(2, 5);
		stage(3, 5, 0, 1, 43);
		assertThat(query(1, range(0, 42, 42)).rows()).isEmpty();
		assertThat(query(3, range(0, 43, 43)).rows()).containsExactly(5);
		assertThat(query(3, range(1, FilterProgram.LOWEST, Long.MAX_VALUE)).rows()).isEmpty();
	}

	@Test
	void filterLeavesOutRowsWithoutTheCell() {
		stage(1, 0, 0, 1, 5);
		stage(1, 1, 0, 1);
		stage(1, 64, 0, 1);
		assertThat(query(1, range(0, FilterProgram.LOWEST, Long.MAX_VALUE)).rows()).containsExactly(0);
		assertThat(query(1, range(9, FilterProgram.LOWEST, Long.MAX_VALUE)).rows()).isEmpty();
	}

	@Test
	void eachVectorOfAPassFindsWhatItFindsAlone() {
		for (int row = 0; row < 300; row++) {
			stage(1, row, row % 7, row % 10);
		}
		float[][] vectors = { { 3, 4 }, NORTH, { -1, 2 } };
		for (int i = 0; i < vectors.length; i++) {
			prepare(2, i, vectors.length, vectors[i]);
		}
		scan(2);
		for (int i = 0; i < vectors.length; i++) {
			VectorSearchRequest alone = VectorSearchRequest.query(1, 1, vectors[i], FilterProgram.EVERYTHING, 16,
					Float.POSITIVE_INFINITY, -1);
			assertThat(this.handler.handle(VectorSearchRequest.nearest(1, 2, i))).usingRecursiveComparison()
				.isEqualTo(this.handler.handle(alone));
		}
	}

	private void prepare(int pass, int first, int count, float... vectors) {
		this.handler.handle(VectorSearchRequest.prepare(1, pass, first, count, 20, 16, 3, vectors));
	}

	private void scan(int pass) {
		VectorSearchRequest query = VectorSearchRequest.query(1, 1, NORTH, FilterProgram.EVERYTHING, 16,
				Float.POSITIVE_INFINITY, -1);
		this.handler.handle(query.scan(pass, 0, 1));
		this.handler.handle(query.scan(pass, 1, 2));
	}

	@Test
	void refusesWhatComesLateForAPass() {
		prepare(2, 0, 1, 0, 1);
		prepare(4, 0, 1, 0, 1);
		assertThatIllegalArgumentException().isThrownBy(() -> scan(2)).withMessageContaining("Pass 2");
		assertThatIllegalArgumentException().isThrownBy(() -> prepare(2, 0, 1, 0, 1)).withMessageContaining("Pass 2");
		assertThatIllegalArgumentException().isThrownBy(() -> scan(3)).withMessageContaining("no pass 3");
		this.handler.handle(VectorSearchRequest.abandon(1, 6));
		assertThatIllegalArgumentException().isThrownBy(() -> scan(4)).withMessageContaining("Pass 4");
		prepare(6, 0, 1, 0, 1);
		scan(6);
		assertThat(this.handler.handle(VectorSearchRequest.nearest(1, 6, 0)).rows()).isEmpty();
	}

	@Test
	void shardsTogetherFindWhatOneSearchFinds() {
		for (int row = 0; row < 300; row++) {
			stage(1, row, row, row % 10);
		}
		VectorSearchRequest query = VectorSearchRequest.query(1, 1, NORTH, FilterProgram.EVERYTHING,
				VectorSearchRequest.MAX_RESULTS, Float.POSITIVE_INFINITY, -1);
		int found = 0;
		for (int shard = 0; shard < 3; shard++) {
			found += this.handler.handle(query.ofShard(shard, 3)).rows().length;
		}
		assertThat(found).isEqualTo(300);
	}

	@Test
	void selectsInTheOrderOfRowsPageByPage() {
		for (int row : new int[] { 300, 2, 64, 65 }) {
			stage(1, row, 1, 1);
		}
		assertThat(this.handler.handle(VectorSearchRequest.select(1, 1, FilterProgram.EVERYTHING, 2, -1)).rows())
			.containsExactly(2, 64);
		assertThat(this.handler.handle(VectorSearchRequest.select(1, 1, FilterProgram.EVERYTHING, 2, 64)).rows())
			.containsExactly(65, 300);
		assertThat(this.handler.handle(VectorSearchRequest.select(1, 1, FilterProgram.EVERYTHING, 2, 300)).rows())
			.isEmpty();
	}

	@Test
	void euclideanSimilarityIsTheNegativeSquaredDistance() {
		this.handler.handle(VectorSearchRequest.reset(1, SimilarityMetric.EUCLIDEAN, ElementType.FLOAT32, 2));
		stage(1, 0, 3, 5);
		assertThat(query(1, FilterProgram.EVERYTHING).similarities()).containsExactly(-25);
	}

	@Test
	void sumThatIsNoNumberComesLast() {
		stage(1, 0, Float.MAX_VALUE, Float.MAX_VALUE);
		stage(1, 1, 0, 1);
		VectorSearchResponse found = this.handler
			.handle(VectorSearchRequest.query(1, 1, new float[] { Float.MAX_VALUE, -Float.MAX_VALUE },
					FilterProgram.EVERYTHING, 10, Float.POSITIVE_INFINITY, -1));
		assertThat(found.rows()).containsExactly(1, 0);
		assertThat(found.similarities()[1]).isEqualTo(Float.NEGATIVE_INFINITY);
	}

	@Test
	void otherIncarnationIsStaleAndChangesNothing() {
		stage(1, 0, 0, 1);
		VectorSearchRequest late = VectorSearchRequest.stage(2, 1, new int[] { 1 }, new float[2], new int[0],
				new long[0]);
		assertThat(this.handler.handle(late).outcome()).isEqualTo(SearchOutcome.STALE);
		assertThat(rowsAt(1)).containsExactly(0);
		assertThat(new VectorSearchHandler().handle(late).outcome()).isEqualTo(SearchOutcome.STALE);
	}

	@Test
	void refusesWhatDoesNotFit() {
		assertThatIllegalArgumentException()
			.isThrownBy(() -> this.handler.handle(VectorSearchRequest.query(1, 1, new float[3],
					FilterProgram.EVERYTHING, 1, Float.POSITIVE_INFINITY, -1)))
			.withMessageContaining("have 2 elements, not 3");
		assertThatIllegalArgumentException().isThrownBy(() -> this.handler
			.handle(VectorSearchRequest.query(1, 1, NORTH, FilterProgram.EVERYTHING, 0, Float.POSITIVE_INFINITY, -1)));
		assertThatIllegalArgumentException().isThrownBy(() -> this.handler
			.handle(VectorSearchRequest.reset(2, SimilarityMetric.COSINE, ElementType.FLOAT32, 0)));
	}

}
