package io.ringkernel.conformance;

import io.ringkernel.backend.BackendProvider;
import io.ringkernel.platform.PlanRequest;
import org.junit.jupiter.api.Nested;

/**
 * The part of the conformance suite that depends on how a platform launches kernels and
 * carries bytes: messages of every size, launch, pause and end, and the hand-over. A
 * subclass says over which plan, and with which kernels.
 */
public abstract class PlatformConformanceTests {

	/**
	 * The backend under test.
	 */
	protected abstract BackendProvider provider();

	/**
	 * The plan under test; the backend must be able to do it.
	 */
	protected abstract PlanRequest plan();

	/**
	 * The kernels of the suite, on that backend.
	 */
	protected abstract TestKernels kernels();

	final ConformanceFixture fixture() {
		return new ConformanceFixture(provider(), plan(), kernels());
	}

	@Nested
	class Messages extends MessageConformance {

		Messages() {
			super(fixture());
		}

	}

	@Nested
	class Lifecycle extends LifecycleConformance {

		Lifecycle() {
			super(fixture());
		}

	}

	@Nested
	class HandOver extends HandOverConformance {

		HandOver() {
			super(fixture());
		}

	}

}
