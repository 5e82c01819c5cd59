package io.ringkernel.spring.ai.index;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;

import io.ringkernel.platform.BackendKind;
import io.ringkernel.spring.ai.RunningKernel;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIf;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The tests of {@link DocumentIndex} with a kernel on a device that a process of its own
 * uses, and what becomes of the documents when that process ends.
 */
@Tag("gpu")
@EnabledIf("io.ringkernel.spring.ai.RunningKernel#hasDevice")
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class IsolatedDocumentIndexTests extends DocumentIndexTests {

	private static final Duration LIMIT = Duration.ofSeconds(60);

	private static final int CALLERS = 4;

	private static final int DOCUMENTS = 5000;

	@Override
	RunningKernel running() {
		return RunningKernel.isolated(elementType());
	}

	@Test
	void theDocumentsAreOnTheDeviceAgainAfterItsProcessHasEnded() {
		List<IndexedDocument> documents = addMany(DOCUMENTS);
		float[] query = vector();
		for (int death = 0; death < 2; death++) {
			this.running.killHost();
			assertThat(ids(this.index.search(query, 10, ANY_SCORE, null))).isEqualTo(nearest(documents, query, 10));
			Awaitility.await().atMost(LIMIT).until(this::isOnDevice);
			assertThat(ids(this.index.search(query, 10, ANY_SCORE, null))).isEqualTo(nearest(documents, query, 10));
			assertThat(this.index.size()).isEqualTo(DOCUMENTS);
		}
	}

	@Test
	void searchesAndAdditionsGoOnWhileTheProcessEnds() throws Exception {
		List<IndexedDocument> documents = addMany(DOCUMENTS);
		float[] query = vector();
		List<String> expected = nearest(documents, query, 10);
		AtomicBoolean done = new AtomicBoolean();
		ExecutorService threads = Executors.newFixedThreadPool(CALLERS);
		List<Future<?>> callers = Stream.<Future<?>>generate(() -> threads.submit(() -> {
			while (!done.get()) {
				assertThat(ids(this.index.search(query, 10, ANY_SCORE, null))).isEqualTo(expected);
			}
		})).limit(CALLERS).toList();
		float[] far = new float[DIMENSIONS];
		for (int i = 0; i < far.length; i++) {
			far[i] = -100 * query[i];
		}
		int added = 0;
		this.running.killHost();
		do {
			this.index.add(List.of(new IndexedDocument("far" + added++, "text", Map.of(), far)));
		}
		while (!isOnDevice());
		done.set(true);
		threads.shutdown();
		for (Future<?> caller : callers) {
			caller.get(LIMIT.toSeconds(), TimeUnit.SECONDS);
		}
		assertThat(this.index.size()).isEqualTo(DOCUMENTS + added);
		assertThat(this.index.search(far, added, ANY_SCORE, null)).hasSize(added)
			.allSatisfy((match) -> assertThat(match.getId()).startsWith("far"));
	}

	private boolean isOnDevice() {
		return this.running.kernel().plan().backend() == BackendKind.CUDA;
	}

}
