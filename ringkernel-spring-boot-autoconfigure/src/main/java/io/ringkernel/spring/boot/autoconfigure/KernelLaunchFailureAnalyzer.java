package io.ringkernel.spring.boot.autoconfigure;

import io.ringkernel.exception.KernelLaunchException;
import io.ringkernel.exception.UnusableImageException;

import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/** Explains a {@link KernelLaunchException}, whose message says what was checked. */
class KernelLaunchFailureAnalyzer extends AbstractFailureAnalyzer<KernelLaunchException> {

	private static final String ESCAPE = "To start without a device, set ringkernel.backend to cpu; "
			+ "to start without ring kernels, set ringkernel.enabled to false.";

	@Override
	protected FailureAnalysis analyze(Throwable rootFailure, KernelLaunchException cause) {
		String remedy = (cause.remedy() != null) ? cause.remedy() : "Change what the description names.";
		return new FailureAnalysis(cause.problem(), remedy + " " + escape(cause), cause);
	}

	private static String escape(KernelLaunchException cause) {
		if (!(cause instanceof UnusableImageException)) {
			return ESCAPE;
		}
		return ("To start without the image, set ringkernel.backend to auto or cpu "
				+ "and ringkernel.fail-on-unusable-image to false or, where the handler is compiled to it, "
				+ "ringkernel.kernels.%s.compile to auto; "
				+ "to start without ring kernels, set ringkernel.enabled to false.")
			.formatted(cause.kernelId());
	}

}
