package io.ringkernel.conformance;

import io.ringkernel.backend.BackendProvider;
import io.ringkernel.platform.PlanRequest;
import org.junit.jupiter.api.Nested;

/**
 * What every backend must do. A subclass says over which plan, and with which kernels.
 */
public abstract class BackendConformanceTests {

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

	private ConformanceFixture fixture() {
		return new ConformanceFixture(provider(), plan(), kernels());
	}

	@Nested
	class Messages extends MessageConformance {

		Messages() {
			super(fixture());
		}

	}

	@Nested
	class Concurrency extends ConcurrencyConformance {

		Concurrency() {
			super(fixture());
		}

	}

	@Nested
	class Streams extends StreamConformance {

		Streams() {
			super(fixture());
		}

	}

	@Nested
	class Frames extends FrameConformance {

		Frames() {
			super(fixture());
		}

	}

	@Nested
	class InPlace extends InPlaceConformance {

		InPlace() {
			super(fixture());
		}

	}

	@Nested
	class FlowControl extends FlowControlConformance {

		FlowControl() {
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
