package io.ringkernel.spring.ai.index;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import io.ringkernel.spring.ai.filter.MetadataFilter;
import io.ringkernel.spring.ai.graph.IndexKind;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import org.springframework.ai.document.Document;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link DocumentIndex} with a graph beside the kernel, which is searched while
 * it changes.
 */
@Tag("every-platform")
class GraphDocumentIndexStressTests extends GraphDocumentIndexTestSupport {

	@Test
	void seesAllOfAnAddOrNothingOfIt() throws Exception {
		DocumentIndex index = index(IndexKind.GRAPH);
		index.add(documents(0, 3000));
		awaitConnected(index);
		float[] vector = vector(this.random);
		List<float[]> near = IntStream.range(0, 50).mapToObj((i) -> around(vector, 0.001, this.random)).toList();
		AtomicBoolean done = new AtomicBoolean();
		index.add(version(near, 0));
		ExecutorService readers = Executors.newFixedThreadPool(3);
		try {
			List<CompletableFuture<Integer>> reads = IntStream.range(0, 3)
				.mapToObj((reader) -> CompletableFuture.supplyAsync(() -> {
					int count = 0;
					do {
						List<Document> matches = index.search(vector, 50, 0.9, null);
						assertThat(matches).hasSize(50);
						assertThat(matches.stream().map((match) -> match.getMetadata().get("version")).distinct())
							.hasSize(1);
						count++;
					}
					while (!done.get());
					return count;
				}, readers))
				.toList();
			for (int version = 1; version <= 60; version++) {
				index.add(version(near, version));
			}
			done.set(true);
			for (CompletableFuture<Integer> read : reads) {
				assertThat(read.get(60, TimeUnit.SECONDS)).isPositive();
			}
		}
		finally {
			done.set(true);
			readers.shutdownNow();
		}
	}

	private static List<IndexedDocument> version(List<float[]> vectors, int version) {
		return IntStream.range(0, vectors.size())
			.mapToObj((i) -> new IndexedDocument("version" + i, "", Map.of("version", version), vectors.get(i)))
			.toList();
	}

	/**
	 * Each of several threads adds, replaces and removes documents of its own, while
	 * others search. No search finds what was removed before, and each finds what it has
	 * added. In the end, the graph finds what an exact search finds.
	 */
	@Test
	void findsNoRemovedDocumentAndEachOneThatThereIsWhileManyThreadsChangeSome() throws Exception {
		DocumentIndex index = index(IndexKind.GRAPH);
		index.add(documents(0, 2000));
		awaitConnected(index);
		Set<String> removed = ConcurrentHashMap.newKeySet();
		AtomicBoolean done = new AtomicBoolean();
		ExecutorService threads = Executors.newFixedThreadPool(6);
		Map<String, IndexedDocument> left = new ConcurrentHashMap<>();
		try {
			List<CompletableFuture<Void>> changes = IntStream.range(0, 3)
				.mapToObj((writer) -> CompletableFuture.runAsync(() -> change(index, writer, removed, left), threads))
				.toList();
			List<CompletableFuture<Void>> searches = IntStream.range(0, 3)
				.mapToObj((reader) -> CompletableFuture.runAsync(() -> {
					Random by = new Random(reader);
					while (!done.get()) {
						Set<String> before = new HashSet<>(removed);
						assertThat(index.search(vector(by), 20, ANY_SCORE, null)).extracting(Document::getId)
							.hasSize(20)
							.doesNotHaveDuplicates()
							.noneMatch(before::contains);
					}
				}, threads))
				.toList();
			for (CompletableFuture<Void> change : changes) {
				change.get(120, TimeUnit.SECONDS);
			}
			done.set(true);
			for (CompletableFuture<Void> search : searches) {
				search.get(60, TimeUnit.SECONDS);
			}
		}
		finally {
			done.set(true);
			threads.shutdownNow();
		}
		awaitConnected(index);
		assertThat(index.graph().size()).isEqualTo(index.size()).isEqualTo(2000 + left.size());
		DocumentIndex exact = index(IndexKind.EXACT);
		exact.add(index
			.get(Stream.concat(left.keySet().stream(), IntStream.range(0, 2000).mapToObj((i) -> "id" + i)).toList())
			.stream()
			.map((content) -> new IndexedDocument(content.getId(), content.getText(), content.getMetadata(),
					index.vector(content.getId()).orElseThrow()))
			.toList());
		assertThat(recall(index, exact, null, ANY_SCORE)).isGreaterThanOrEqualTo(0.99);
	}

	/**
	 * Most documents are removed, so the graph begins anew again and again, while others
	 * search with filters. What they find matches, and was not removed before.
	 */
	@Test
	void findsWhatMatchesWhileTheGraphIsBuiltAnew() throws Exception {
		DocumentIndex index = index(IndexKind.GRAPH);
		index.add(documents(0, 4000));
		awaitConnected(index);
		AtomicInteger removed = new AtomicInteger(-1);
		AtomicBoolean done = new AtomicBoolean();
		ExecutorService readers = Executors.newFixedThreadPool(3);
		try {
			List<CompletableFuture<Integer>> reads = Stream.of("half == 1", "tenth == 9", "hundredth == 99")
				.map((filter) -> CompletableFuture.supplyAsync(() -> {
					Random by = new Random(filter.length());
					int count = 0;
					while (!done.get()) {
						int before = removed.get();
						List<Document> matches = index.search(vector(by), TOP_K, ANY_SCORE, filter(filter));
						assertThat(matches).hasSize(TOP_K).doesNotHaveDuplicates();
						for (Document match : matches) {
							assertThat(MetadataFilter.of(filter(filter)).test(match.getMetadata())).isTrue();
							assertThat((int) match.getMetadata().get("tenth")).isGreaterThan(before);
						}
						count++;
					}
					return count;
				}, readers))
				.toList();
			for (int tenth = 0; tenth < 9; tenth++) {
				index.remove(filter("tenth == " + tenth));
				removed.set(tenth);
				IndexedDocument near = documents(9, 10).get(0);
				index.add(List.of(near));
				assertThat(index.search(near.vector(), 1, ANY_SCORE, filter("tenth == 9"))).extracting(Document::getId)
					.containsExactly("id9");
			}
			done.set(true);
			for (CompletableFuture<Integer> read : reads) {
				assertThat(read.get(60, TimeUnit.SECONDS)).isPositive();
			}
		}
		finally {
			done.set(true);
			readers.shutdownNow();
		}
		awaitConnected(index);
		assertThat(index.graph().size()).isEqualTo(index.size()).isEqualTo(400);
	}

	private void change(DocumentIndex index, int writer, Set<String> removed, Map<String, IndexedDocument> left) {
		Random by = new Random(100 + writer);
		Map<String, IndexedDocument> own = new HashMap<>();
		List<String> ids = new ArrayList<>();
		for (int i = 0; i < 400; i++) {
			String id = "writer" + writer + "-" + i;
			IndexedDocument added = new IndexedDocument(id, "text", Map.of("writer", writer), vector(by));
			index.add(List.of(added));
			own.put(id, added);
			ids.add(id);
			assertThat(index.search(added.vector(), 1, ANY_SCORE, null)).extracting(Document::getId)
				.containsExactly(id);
			String other = ids.get(by.nextInt(ids.size()));
			switch (i % 3) {
				case 0 -> {
					ids.remove(other);
					own.remove(other);
					index.remove(List.of(other));
					removed.add(other);
				}
				case 1 -> {
					IndexedDocument replaced = new IndexedDocument(other, "replaced", Map.of(), vector(by));
					index.add(List.of(replaced));
					own.put(other, replaced);
				}
				default -> index.updateMetadata(List.of(other), (metadata) -> Map.of("updated", true));
			}
		}
		left.putAll(own);
	}

}
