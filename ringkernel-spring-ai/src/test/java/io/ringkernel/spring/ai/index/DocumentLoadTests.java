package io.ringkernel.spring.ai.index;

import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;

import io.ringkernel.exception.RingKernelException;
import io.ringkernel.spring.ai.RunningKernel;
import io.ringkernel.spring.ai.graph.RowGraph;
import io.ringkernel.spring.ai.search.ElementType;
import io.ringkernel.spring.ai.search.SimilarityMetric;
import io.ringkernel.spring.ai.storage.DocumentStorage;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import org.springframework.ai.document.Document;
import org.springframework.ai.vectorstore.filter.FilterExpressionTextParser;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for {@link DocumentLoad}, of vectors of which few are read at once.
 */
class DocumentLoadTests {

	private static final int DIMENSIONS = 1 << 14;

	/** A thread takes 16 of them at once. */
	private static final int DOCUMENTS = 200;

	private final RunningKernel running = new RunningKernel();

	private final DocumentIndex index = new DocumentIndex(DocumentStorage.temporary(DIMENSIONS), this.running.kernel(),
			SimilarityMetric.COSINE, ElementType.FLOAT32, DIMENSIONS, 0, RowGraph.NONE);

	@AfterEach
	void close() {
		this.index.close();
		this.running.close();
	}

	private static float[] vector(int id) {
		Random random = new Random(id);
		float[] vector = new float[DIMENSIONS];
		for (int i = 0; i < DIMENSIONS; i++) {
			vector[i] = random.nextFloat() - 0.5f;
		}
		return vector;
	}

	private void add() {
		this.index.add(IntStream.range(0, DOCUMENTS)
			.mapToObj((id) -> new IndexedDocument("id" + id, "", Map.of("number", id), vector(id)))
			.toList());
	}

	private List<String> nearest(int id) {
		return this.index
			.search(vector(id), 1, 0.99,
					new FilterExpressionTextParser().parse("number > %d && number < %d".formatted(id - 2, id + 2)))
			.stream()
			.map(Document::getId)
			.toList();
	}

	@Test
	void allDocumentsAreThereAgainWithTheirMetadata() {
		add();
		this.running.loseIndex();
		for (int id = 0; id < DOCUMENTS; id += 7) {
			assertThat(nearest(id)).containsExactly("id" + id);
		}
	}

	@Test
	void rowsThatAreNotInUseAreLeftOut() {
		add();
		this.index.remove(IntStream.range(10, 60).mapToObj((id) -> "id" + id).toList());
		this.running.loseIndex();
		assertThat(nearest(9)).containsExactly("id9");
		assertThat(nearest(10)).isEmpty();
		assertThat(nearest(59)).isEmpty();
		assertThat(nearest(60)).containsExactly("id60");
	}

	@Test
	void endsIfTheKernelTakesNoneOfThem() {
		add();
		this.running.loseIndex();
		assertThat(this.index.problem()).isNull();
		this.running.kernel().deactivate();
		assertThatExceptionOfType(RingKernelException.class).isThrownBy(() -> nearest(3));
		this.running.kernel().activate();
		assertThat(nearest(3)).containsExactly("id3");
	}

}
