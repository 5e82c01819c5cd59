package io.ringkernel.spring.ai.search;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;

import io.ringkernel.backend.DeviceMemory;
import io.ringkernel.backend.KernelOptions;
import io.ringkernel.exception.HandlerFailedException;
import io.ringkernel.platform.BackendKind;
import io.ringkernel.spring.ai.RunningKernel;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * The kernel on a CUDA device answers every request as {@link VectorSearchHandler} does.
 * Elements are small integers, so that sums are exact and many similarities are equal.
 */
@Tag("gpu")
@EnabledIf("io.ringkernel.spring.ai.RunningKernel#hasDevice")
class CudaVectorSearchTests {

	private static final int BLOCKS = 2;

	private static final int COLUMNS = 3;

	private static final int ROWS = DeviceRows.ROWS_PER_BLOCK + 300;

	/** As few threads as keep what they find for 64 vectors. */
	private final RunningKernel running = new RunningKernel(BackendKind.CUDA,
			KernelOptions.builder().workers(4).threadsPerWorker(128).build(), elementType());

	private final VectorSearchHandler handler = new VectorSearchHandler();

	private final DeviceMemory memory = this.running.kernel()
		.allocate(BLOCKS * (DeviceRows.blockBytes(132, elementType()) + COLUMNS * DeviceRows.COLUMN_BYTES)
				+ DeviceRows.PASSES_BYTES)
		.orElseThrow();

	private final Random random = new Random(5);

	private int pass;

	ElementType elementType() {
		return ElementType.FLOAT32;
	}

	@AfterEach
	void close() {
		this.memory.close();
		this.running.close();
	}

	/** Sends a request to both. */
	private VectorSearchResponse agreed(VectorSearchRequest request) {
		VectorSearchResponse response = this.running.kernel().client().call(request);
		assertThat(response).usingRecursiveComparison().isEqualTo(this.handler.handle(request));
		return response;
	}

	private void begin(SimilarityMetric metric, int dimensions) {
		agreed(VectorSearchRequest.reset(1, metric, elementType(), dimensions));
		long address = this.memory.address();
		for (int block = 0; block < BLOCKS; block++) {
			long bytes = DeviceRows.blockBytes(dimensions, elementType());
			agreed(VectorSearchRequest.attachBlock(1, block, address, bytes));
			address += bytes;
			for (int column = 0; column < COLUMNS; column++) {
				agreed(VectorSearchRequest.attachColumn(1, block, column, address, DeviceRows.COLUMN_BYTES));
				address += DeviceRows.COLUMN_BYTES;
			}
		}
		agreed(VectorSearchRequest.attachPasses(1, address, DeviceRows.PASSES_BYTES));
	}

	/** Every other row has a cell in each column. */
	private void stage(int epoch, int from, int to, int dimensions) {
		int count = to - from;
		int[] rows = new int[count];
		int[] cells = new int[COLUMNS * ((count + 1) / 2)];
		long[] values = new long[cells.length];
		int cell = 0;
		for (int i = 0; i < count; i++) {
			rows[i] = from + i;
			for (int column = 0; i % 2 == 0 && column < COLUMNS; column++) {
				cells[cell] = VectorSearchRequest.cell(i, column);
				values[cell++] = this.random.nextInt(10) - 5;
			}
		}
		agreed(VectorSearchRequest.stage(1, epoch, rows, vector(count * dimensions), cells, values));
	}

	float[] vector(int elements) {
		float[] vector = new float[elements];
		for (int i = 0; i < elements; i++) {
			vector[i] = this.random.nextInt(5) - 2;
		}
		return vector;
	}

	private VectorSearchResponse query(int epoch, float[] vector, FilterProgram filter, int limit) {
		return agreed(VectorSearchRequest.query(1, epoch, vector, filter, limit, Float.POSITIVE_INFINITY, -1));
	}

	@ParameterizedTest
	@EnumSource
	void rowsOfEveryMetricPageByPage(SimilarityMetric metric) {
		int dimensions = 24;
		begin(metric, dimensions);
		for (int from = ROWS - 600; from < ROWS; from += 200) {
			stage(1, from, from + 200, dimensions);
		}
		float[] vector = vector(dimensions);
		float afterSimilarity = Float.POSITIVE_INFINITY;
		int afterRow = -1;
		int found = 0;
		VectorSearchResponse page;
		do {
			page = agreed(
					VectorSearchRequest.query(1, 1, vector, FilterProgram.EVERYTHING, 100, afterSimilarity, afterRow));
			found += page.rows().length;
			if (page.rows().length > 0) {
				afterRow = page.rows()[page.rows().length - 1];
				afterSimilarity = page.similarities()[page.rows().length - 1];
			}
		}
		while (page.rows().length > 0);
		assertThat(found).isEqualTo(600);
	}

	@ParameterizedTest
	@ValueSource(ints = { 1, 3, 4, 31, 33, 40 })
	void vectorsOfAnyLength(int dimensions) {
		begin(SimilarityMetric.EUCLIDEAN, dimensions);
		stage(1, 0, 100, dimensions);
		assertThat(query(1, vector(dimensions), FilterProgram.EVERYTHING, 128).rows()).hasSize(100);
	}

	/** Some warps find nothing to compare before the search is known to the others. */
	@Test
	void fewRowsAndNone() {
		begin(SimilarityMetric.COSINE, 16);
		assertThat(query(1, vector(16), FilterProgram.EVERYTHING, 10).rows()).isEmpty();
		stage(1, 0, 3, 16);
		for (int i = 0; i < 100; i++) {
			assertThat(query(1, vector(16), FilterProgram.EVERYTHING, 10).rows()).hasSize(3);
		}
	}

	@ParameterizedTest
	@EnumSource
	void severalVectorsShareAPass(SimilarityMetric metric) {
		for (int[] shape : new int[][] { { 16, 33 }, { 48, VectorSearchRequest.MAX_QUERIES }, { 128, 2 } }) {
			int dimensions = shape[0];
			int vectors = shape[1];
			begin(metric, dimensions);
			stage(1, 0, 124, dimensions);
			stage(1, DeviceRows.ROWS_PER_BLOCK - 62, DeviceRows.ROWS_PER_BLOCK + 62, dimensions);
			FilterProgram.Builder filter = new FilterProgram.Builder();
			filter.range(0, 0, 4);
			float[] searched = vector(vectors * dimensions);
			for (FilterProgram program : List.of(FilterProgram.EVERYTHING, filter.build())) {
				assertThat(pass(searched, vectors, program, 3)).as("proven").isPositive();
			}
		}
	}

	/**
	 * Searches for vectors in one pass of three workers. What is equal to many, as small
	 * integers are, may remain unproven.
	 * @return how many answers are proven
	 */
	private int pass(float[] searched, int vectors, FilterProgram filter, int limit) {
		int dimensions = searched.length / vectors;
		int kept = 8;
		this.pass += DeviceRows.PASSES;
		for (int first = 0; first < vectors; first += 3) {
			int end = Math.min(vectors, first + 3);
			agreed(VectorSearchRequest.prepare(1, this.pass, first, vectors, kept, limit, 3,
					Arrays.copyOfRange(searched, first * dimensions, end * dimensions)));
		}
		int proven = 0;
		VectorSearchRequest query = VectorSearchRequest.query(1, 1, searched, filter, 1, 0, 0);
		agreed(query.scan(this.pass, 2, 1));
		agreed(query.scan(this.pass, 0, 2));
		for (int i = 0; i < vectors; i++) {
			VectorSearchRequest nearest = VectorSearchRequest.nearest(1, this.pass, i);
			if (this.running.kernel().client().call(nearest).outcome() == SearchOutcome.DONE) {
				agreed(nearest);
				query(1, Arrays.copyOfRange(searched, i * dimensions, (i + 1) * dimensions), filter, limit);
				proven++;
			}
		}
		return proven;
	}

	@Test
	void vectorsOfAPassThatAreProvenAreMostOfThoseThatDiffer() {
		begin(SimilarityMetric.DOT_PRODUCT, 128);
		for (int row = 0; row < 600; row += 100) {
			stage(1, row, row + 100, 128);
		}
		assertThat(pass(vector(64 * 128), 64, FilterProgram.EVERYTHING, 3)).isGreaterThan(60);
	}

	@Test
	void passWithoutRowsFindsNothing() {
		begin(SimilarityMetric.COSINE, 16);
		assertThat(pass(vector(32), 2, FilterProgram.EVERYTHING, 3)).isEqualTo(2);
		assertThat(agreed(VectorSearchRequest.nearest(1, this.pass, 1)).rows()).isEmpty();
	}

	@Test
	void vectorThatHalvesCannotTellApartIsUnproven() {
		begin(SimilarityMetric.DOT_PRODUCT, 16);
		stage(1, 0, 100, 16);
		float[] searched = vector(32);
		Arrays.fill(searched, 16, 32, 0);
		assertThat(pass(searched, 2, FilterProgram.EVERYTHING, 3)).isOne();
		assertThat(this.running.kernel().client().call(VectorSearchRequest.nearest(1, this.pass, 1)).outcome())
			.isEqualTo(SearchOutcome.UNPROVEN);
	}

	@Test
	void refusesWhatComesLateForAPass() {
		begin(SimilarityMetric.COSINE, 16);
		pass(vector(32), 2, FilterProgram.EVERYTHING, 3);
		agreed(VectorSearchRequest.abandon(1, this.pass + DeviceRows.PASSES));
		for (VectorSearchRequest late : List.of(VectorSearchRequest.nearest(1, this.pass, 0),
				VectorSearchRequest.query(1, 1, vector(16), FilterProgram.EVERYTHING, 1, 0, 0).scan(this.pass, 0, 3),
				VectorSearchRequest.prepare(1, this.pass, 0, 1, 10, 3, 3, vector(16)))) {
			assertThatExceptionOfType(HandlerFailedException.class)
				.isThrownBy(() -> this.running.kernel().client().call(late))
				.withMessageContaining("6");
		}
		assertThat(pass(vector(32), 2, FilterProgram.EVERYTHING, 3)).isEqualTo(2);
	}

	@Test
	void refusesPartsThatAPassDoesNotHave() {
		begin(SimilarityMetric.COSINE, 16);
		pass(vector(32), 2, FilterProgram.EVERYTHING, 3);
		VectorSearchRequest query = VectorSearchRequest.query(1, 1, vector(16), FilterProgram.EVERYTHING, 1, 0, 0);
		for (VectorSearchRequest scan : List.of(query.scan(this.pass, 3, 1), query.scan(this.pass, 1, 3),
				query.scan(this.pass, 0, 0), query.scan(this.pass, -1, 1), query.scan(this.pass, 0, -1))) {
			assertThatExceptionOfType(HandlerFailedException.class)
				.isThrownBy(() -> this.running.kernel().client().call(scan))
				.withMessageContaining("error code 3");
		}
	}

	@Test
	void rowsAreVisibleInTheirEpochs() {
		begin(SimilarityMetric.DOT_PRODUCT, 8);
		stage(2, 10, 60, 8);
		agreed(VectorSearchRequest.retire(1, 3, new int[] { 12, 59 }));
		int[] visible = { 0, 50, 48 };
		for (int epoch = 1; epoch <= visible.length; epoch++) {
			assertThat(query(epoch, vector(8), FilterProgram.EVERYTHING, 128).rows()).hasSize(visible[epoch - 1]);
		}
		stage(4, 59, 60, 8);
		assertThat(query(4, vector(8), FilterProgram.EVERYTHING, 128).rows()).hasSize(49).contains(59);
	}

	@Test
	void filtersOfEveryKind() {
		begin(SimilarityMetric.COSINE, 4);
		stage(1, 0, 300, 4);
		for (int i = 0; i < 30; i++) {
			FilterProgram filter = filter();
			query(1, vector(4), filter, 50);
			agreed(VectorSearchRequest.select(1, 1, filter, 100, this.random.nextInt(100) - 1));
		}
	}

	/** A tree of some ranges, written from its leaves. */
	private FilterProgram filter() {
		FilterProgram.Builder program = new FilterProgram.Builder();
		int depth = 0;
		for (int i = 0; i < 20 || depth > 1; i++) {
			int kind = (depth > 1 && i >= 10) ? this.random.nextInt(2) : this.random.nextInt(5);
			if (depth > 1 && kind == 0) {
				program.and();
				depth--;
			}
			else if (depth > 1 && kind == 1) {
				program.or();
				depth--;
			}
			else if (depth > 0 && kind == 2) {
				program.not();
			}
			else if (kind == 3) {
				program.constant(this.random.nextBoolean());
				depth++;
			}
			else {
				long low = this.random.nextInt(10) - 5;
				program.range(this.random.nextInt(COLUMNS + 1), low, low + this.random.nextInt(5));
				depth++;
			}
		}
		return program.build();
	}

	@Test
	void shardsTogetherFindEveryRowOnce() {
		begin(SimilarityMetric.DOT_PRODUCT, 4);
		stage(1, 0, 200, 4);
		VectorSearchRequest query = VectorSearchRequest.query(1, 1, vector(4), FilterProgram.EVERYTHING, 128,
				Float.POSITIVE_INFINITY, -1);
		List<Integer> found = new ArrayList<>();
		for (int shard = 0; shard < 5; shard++) {
			for (int row : this.running.kernel().client().call(query.ofShard(shard, 5)).rows()) {
				found.add(row);
			}
		}
		assertThat(found).hasSize(200).doesNotHaveDuplicates();
	}

	@Test
	void otherIncarnationIsStale() {
		begin(SimilarityMetric.COSINE, 2);
		VectorSearchRequest late = VectorSearchRequest.retire(2, 1, new int[] { 0 });
		assertThat(agreed(late).outcome()).isEqualTo(SearchOutcome.STALE);
	}

	@Test
	void refusesRowsWithoutMemory() {
		begin(SimilarityMetric.COSINE, 2);
		assertThatExceptionOfType(HandlerFailedException.class)
			.isThrownBy(() -> this.running.kernel()
				.client()
				.call(VectorSearchRequest.stage(1, 1, new int[] { BLOCKS * DeviceRows.ROWS_PER_BLOCK }, new float[2],
						new int[0], new long[0])))
			.withMessageContaining("2");
		assertThatExceptionOfType(HandlerFailedException.class)
			.isThrownBy(() -> this.running.kernel()
				.client()
				.call(VectorSearchRequest.attachBlock(1, 0, this.memory.address(),
						DeviceRows.blockBytes(2, elementType()) - 1)))
			.withMessageContaining("2");
	}

}
