package io.ringkernel.conformance;

import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;

/**
 * What every backend must do. A subclass says over which plan, and with which kernels.
 */
public abstract class BackendConformanceTests extends PlatformConformanceTests {

	/**
	 * The tag of what a platform that differs from another one in its launches or copies
	 * alone need not repeat.
	 */
	static final String WHOLE_SUITE = "whole-suite";

	@Nested
	@Tag(WHOLE_SUITE)
	class Concurrency extends ConcurrencyConformance {

		Concurrency() {
			super(fixture());
		}

	}

	@Nested
	@Tag(WHOLE_SUITE)
	class Streams extends StreamConformance {

		Streams() {
			super(fixture());
		}

	}

	@Nested
	@Tag(WHOLE_SUITE)
	class Frames extends FrameConformance {

		Frames() {
			super(fixture());
		}

	}

	@Nested
	@Tag(WHOLE_SUITE)
	class InPlace extends InPlaceConformance {

		InPlace() {
			super(fixture());
		}

	}

	@Nested
	@Tag(WHOLE_SUITE)
	class FlowControl extends FlowControlConformance {

		FlowControl() {
			super(fixture());
		}

	}

}
