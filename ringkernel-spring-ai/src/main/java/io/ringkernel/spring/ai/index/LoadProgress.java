package io.ringkernel.spring.ai.index;

import java.time.Duration;

import io.ringkernel.Durations;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Logs how far the load of an index has come.
 */
final class LoadProgress {

	private static final Logger logger = LoggerFactory.getLogger(LoadProgress.class);

	/** Fewer documents are loaded before anybody asks. */
	private static final int MIN_DOCUMENTS = 50_000;

	private static final int STEPS = 10;

	private final long started = System.nanoTime();

	private final int documents;

	private int loaded;

	LoadProgress(int documents) {
		this.documents = documents;
	}

	/** More documents have been loaded. Any number of threads. */
	synchronized void advance(int more) {
		int step = this.documents / STEPS;
		boolean isStep = this.documents >= MIN_DOCUMENTS && (this.loaded + more) / step > this.loaded / step;
		this.loaded += more;
		if (isStep) {
			logger.info("Loaded {} of {} documents into the vector store's kernel", this.loaded, this.documents);
		}
	}

	void end() {
		logger.debug("Loaded {} documents into the vector store's kernel within {}", this.loaded,
				Durations.format(Duration.ofNanos(System.nanoTime() - this.started)));
	}

}
