package io.ringkernel.spring.ai.autoconfigure;

import io.ringkernel.spring.ai.search.DeviceFullException;

import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/**
 * Says how many vectors fit if the device has no memory for those that are stored.
 */
final class DeviceFullFailureAnalyzer extends AbstractFailureAnalyzer<DeviceFullException> {

	@Override
	protected FailureAnalysis analyze(Throwable rootFailure, DeviceFullException cause) {
		return new FailureAnalysis(cause.problem(), cause.remedy(), cause);
	}

}
