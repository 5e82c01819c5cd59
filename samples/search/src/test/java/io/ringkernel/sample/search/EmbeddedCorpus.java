package io.ringkernel.sample.search;

import java.time.Duration;

import io.ringkernel.sample.search.index.CorpusIndexing;
import io.ringkernel.sample.search.index.Progress;
import org.awaitility.Awaitility;

/**
 * Waits for the passages of a test.
 */
final class EmbeddedCorpus {

	private EmbeddedCorpus() {
	}

	static Progress await(CorpusIndexing indexing) {
		return Awaitility.await()
			.atMost(Duration.ofMinutes(2))
			.until(indexing::progress, (progress) -> progress.state() == Progress.State.READY);
	}

}
