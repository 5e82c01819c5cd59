package io.ringkernel.models.autoconfigure;

import io.ringkernel.models.forest.InvalidModelException;

import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/**
 * Says which model cannot be imported, and why.
 */
final class InvalidModelFailureAnalyzer extends AbstractFailureAnalyzer<InvalidModelException> {

	@Override
	protected FailureAnalysis analyze(Throwable rootFailure, InvalidModelException cause) {
		return new FailureAnalysis(String.valueOf(cause.getMessage()),
				"Correct the file, or the property ringkernel.models.<name>.location that names it.", cause);
	}

}
