package io.ringkernel.spring.ai.index;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;

import io.ringkernel.spring.ai.RunningKernel;
import io.ringkernel.spring.ai.graph.IndexKind;
import io.ringkernel.spring.ai.search.ElementType;
import io.ringkernel.spring.ai.storage.DocumentStorage;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import org.springframework.ai.document.Document;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatNoException;
import static org.awaitility.Awaitility.await;

/**
 * Tests for {@link DocumentIndex} with a graph beside the kernel.
 */
class GraphDocumentIndexTests extends GraphDocumentIndexTestSupport {

	@ParameterizedTest
	@EnumSource
	void findsWhatAnExactSearchFinds(ElementType elementType) {
		DocumentIndex index = index(elementType, IndexKind.GRAPH);
		DocumentIndex exact = index(elementType, IndexKind.EXACT);
		List<IndexedDocument> documents = documents(0, 4000);
		index.add(documents);
		exact.add(documents);
		assertThat(recall(index, exact, null, ANY_SCORE)).isEqualTo(1);
		awaitConnected(index);
		long before = index.times().totalBytes();
		assertThat(recall(index, exact, null, ANY_SCORE)).isGreaterThanOrEqualTo(0.99);
		assertThat(recall(index, exact, null, 0.6)).isGreaterThanOrEqualTo(0.99);
		assertThat(index.times().totalBytes()).as("compared by the kernel").isEqualTo(before);
		for (String filter : new String[] { "half == 1", "tenth == 3", "hundredth == 42", "number == 7",
				"number == -1" }) {
			assertThat(recall(index, exact, filter, ANY_SCORE)).as(filter).isGreaterThanOrEqualTo(0.99);
		}
		assertThat(index.search(vector(this.random), 5000, ANY_SCORE, null)).hasSize(4000);
		assertThat(index.search(vector(this.random), 300, ANY_SCORE, null)).hasSize(300);
		assertThat(index.search(vector(this.random), 0, ANY_SCORE, null)).isEmpty();
	}

	@Test
	void findsFewerDocumentsThanAreWantedIfThereAreNoMore() {
		DocumentIndex index = index(IndexKind.GRAPH);
		assertThat(index.search(vector(this.random), 5, ANY_SCORE, null)).isEmpty();
		index.add(documents(0, 3));
		awaitConnected(index);
		assertThat(index.search(vector(this.random), 5, ANY_SCORE, null)).hasSize(3);
		assertThat(index.search(vector(this.random), 5, ANY_SCORE, filter("number == 1"))).hasSize(1);
	}

	@Test
	void changesAreVisibleWhenTheyReturn() {
		DocumentIndex index = index(IndexKind.GRAPH);
		index.add(documents(0, 2000));
		awaitConnected(index);
		for (IndexedDocument document : documents(2000, 2100)) {
			index.add(List.of(document));
			assertThat(index.search(document.vector(), 1, ANY_SCORE, null)).extracting(Document::getId)
				.containsExactly(document.id());
			IndexedDocument replaced = new IndexedDocument(document.id(), "other", Map.of(), vector(this.random));
			index.add(List.of(replaced));
			assertThat(index.search(replaced.vector(), 1, ANY_SCORE, null)).extracting(Document::getText)
				.containsExactly("other");
			assertThat(index.search(document.vector(), TOP_K, ANY_SCORE, null)).extracting(Document::getText)
				.doesNotContain(document.text());
			index.remove(List.of(document.id()));
			assertThat(index.search(replaced.vector(), TOP_K, ANY_SCORE, null)).extracting(Document::getId)
				.doesNotContain(document.id());
		}
		index.remove(filter("half == 1"));
		assertThat(index.search(vector(this.random), 100, ANY_SCORE, null)).hasSize(100)
			.allSatisfy((match) -> assertThat(match.getMetadata()).containsEntry("half", 0));
		assertThat(index.updateMetadata(List.of("id0"), (metadata) -> Map.of("changed", true))).isEqualTo(1);
		assertThat(index.search(vector(this.random), 1000, ANY_SCORE, filter("changed == true"))).hasSize(1);
		index.removeAll();
		assertThat(index.search(vector(this.random), TOP_K, ANY_SCORE, null)).isEmpty();
		assertThat(index.graph().size()).isZero();
		index.add(documents(0, 10));
		assertThat(index.search(vector(this.random), TOP_K, ANY_SCORE, null)).hasSize(10);
	}

	@Test
	void servesWhileTheGraphIsBuiltAgainAfterARestart(@TempDir Path directory) {
		List<IndexedDocument> documents = documents(0, 5000);
		DocumentIndex exact = index(IndexKind.EXACT);
		exact.add(documents);
		try (RunningKernel running = new RunningKernel();
				DocumentIndex index = open(DocumentStorage.open(directory, DIMENSIONS, ""), running,
						ElementType.FLOAT32, IndexKind.GRAPH)) {
			index.add(documents);
		}
		try (RunningKernel running = new RunningKernel();
				DocumentIndex index = open(DocumentStorage.open(directory, DIMENSIONS, ""), running,
						ElementType.FLOAT32, IndexKind.GRAPH)) {
			index.load();
			assertThat(index.graph().size()).isEqualTo(5000);
			assertThat(recall(index, exact, null, ANY_SCORE)).isGreaterThanOrEqualTo(0.99);
			awaitConnected(index);
			assertThat(recall(index, exact, null, ANY_SCORE)).isGreaterThanOrEqualTo(0.99);
		}
	}

	@Test
	void keepsTheGraphIfTheKernelLosesItsIndex() {
		RunningKernel running = new RunningKernel();
		this.opened.add(running);
		DocumentIndex index = open(DocumentStorage.temporary(DIMENSIONS), running, ElementType.FLOAT32,
				IndexKind.GRAPH);
		this.opened.add(index);
		List<IndexedDocument> documents = documents(0, 2000);
		index.add(documents);
		awaitConnected(index);
		running.loseIndex();
		assertThat(index.search(documents.get(1).vector(), 300, ANY_SCORE, null)).hasSize(300);
		assertThat(index.graph().waiting()).isZero();
		assertThat(index.graph().size()).isEqualTo(2000);
		index.remove(List.of("id1"));
		assertThat(index.search(documents.get(1).vector(), TOP_K, ANY_SCORE, null)).hasSize(TOP_K)
			.extracting(Document::getId)
			.doesNotContain("id1");
	}

	@Test
	void closesWhileTheGraphIsBuilt() {
		DocumentIndex index = index(IndexKind.GRAPH);
		index.add(documents(0, 8000));
		assertThat(index.graph().waiting()).isPositive();
		assertThatNoException().isThrownBy(index::close);
		assertThatIllegalStateException().isThrownBy(() -> index.search(vector(this.random), 1, ANY_SCORE, null));
		// A pool has ended when its last thread is about to.
		await().untilAsserted(() -> assertThat(Thread.getAllStackTraces().keySet()).extracting(Thread::getName)
			.doesNotContain("ringkernel-vector-graph"));
	}

}
