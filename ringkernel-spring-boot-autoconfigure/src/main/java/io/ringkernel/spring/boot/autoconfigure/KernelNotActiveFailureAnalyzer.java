package io.ringkernel.spring.boot.autoconfigure;

import io.ringkernel.KernelState;
import io.ringkernel.exception.KernelNotActiveException;
import io.ringkernel.spring.RingKernelLifecycle;
import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.BeanCreationException;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/**
 * Explains a {@link KernelNotActiveException} that ends the start of an application: a
 * bean called a kernel before the kernels were started, or after one was stopped.
 */
class KernelNotActiveFailureAnalyzer extends AbstractFailureAnalyzer<KernelNotActiveException> {

	@Override
	protected FailureAnalysis analyze(Throwable rootFailure, KernelNotActiveException cause) {
		BeanCreationException creation = findCause(rootFailure, BeanCreationException.class);
		String bean = creatingBean(creation);
		boolean early = cause.state() == KernelState.CREATED || cause.state() == KernelState.LAUNCHED;
		String who = (bean != null)
				? "The bean '%s' called ring kernel '%s' while it was created. ".formatted(bean, cause.kernelId()) : "";
		return early
				? new FailureAnalysis(
						"%sRing kernel '%s' is %s: kernels start after all singleton beans have been created."
							.formatted(who, cause.kernelId(), cause.state()),
						("Move the call out of constructors and @PostConstruct methods, into an ApplicationRunner, a "
								+ "listener of ApplicationReadyEvent, or a SmartLifecycle bean with a phase above %d "
								+ "(RingKernelLifecycle.PHASE).")
							.formatted(RingKernelLifecycle.PHASE),
						cause)
				: new FailureAnalysis(who + cause.getMessage(),
						"Relaunch or activate the kernel before it is called, or make the call later.", cause);
	}

	/** The innermost of the beans whose creation failed: the others only depend on it. */
	private @Nullable String creatingBean(@Nullable BeanCreationException outermost) {
		BeanCreationException innermost = outermost;
		while (innermost != null && findCause(innermost.getCause(), BeanCreationException.class) != null) {
			innermost = findCause(innermost.getCause(), BeanCreationException.class);
		}
		return (innermost != null) ? innermost.getBeanName() : null;
	}

}
