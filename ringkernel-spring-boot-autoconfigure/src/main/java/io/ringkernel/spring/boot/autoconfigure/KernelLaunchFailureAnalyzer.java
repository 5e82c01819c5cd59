package io.ringkernel.spring.boot.autoconfigure;

import io.ringkernel.KernelLaunchException;

import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/**
 * Explains a {@link KernelLaunchException}, whose message says what was checked.
 */
class KernelLaunchFailureAnalyzer extends AbstractFailureAnalyzer<KernelLaunchException> {

	@Override
	protected FailureAnalysis analyze(Throwable rootFailure, KernelLaunchException cause) {
		return new FailureAnalysis(String.valueOf(cause.getMessage()),
				"Change what the description names. To start without a device, set ringkernel.backend to cpu; "
						+ "to start without ring kernels, set ringkernel.enabled to false.",
				cause);
	}

}
