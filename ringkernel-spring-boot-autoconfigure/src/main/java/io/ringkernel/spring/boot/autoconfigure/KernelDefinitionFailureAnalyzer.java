package io.ringkernel.spring.boot.autoconfigure;

import io.ringkernel.spring.KernelDefinitionException;

import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/** Explains a {@link KernelDefinitionException}. */
class KernelDefinitionFailureAnalyzer extends AbstractFailureAnalyzer<KernelDefinitionException> {

	@Override
	protected FailureAnalysis analyze(Throwable rootFailure, KernelDefinitionException cause) {
		return new FailureAnalysis(cause.problem(), cause.remedy(), cause);
	}

}
