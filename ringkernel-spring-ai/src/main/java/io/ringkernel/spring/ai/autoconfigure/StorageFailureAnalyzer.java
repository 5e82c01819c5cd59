package io.ringkernel.spring.ai.autoconfigure;

import io.ringkernel.spring.ai.storage.StorageException;

import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/**
 * Says what to change if the files of the vector store cannot be used.
 */
final class StorageFailureAnalyzer extends AbstractFailureAnalyzer<StorageException> {

	@Override
	protected FailureAnalysis analyze(Throwable rootFailure, StorageException cause) {
		return new FailureAnalysis(cause.problem(), cause.remedy(), cause);
	}

}
