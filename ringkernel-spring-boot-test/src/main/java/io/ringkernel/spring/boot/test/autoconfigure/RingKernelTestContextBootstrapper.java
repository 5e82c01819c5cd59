package io.ringkernel.spring.boot.test.autoconfigure;

import org.jspecify.annotations.Nullable;

import org.springframework.boot.test.autoconfigure.TestSliceTestContextBootstrapper;
import org.springframework.util.StringUtils;

/** Bootstraps the context of a {@link RingKernelTest @RingKernelTest}. */
class RingKernelTestContextBootstrapper extends TestSliceTestContextBootstrapper<RingKernelTest> {

	/** First, so that the properties of the test override it. */
	private static final String FAIL = "ringkernel.fail-on-unusable-image=true";

	@Override
	protected String @Nullable [] getProperties(Class<?> testClass) {
		String[] own = super.getProperties(testClass);
		return (own != null) ? StringUtils.concatenateStringArrays(new String[] { FAIL }, own) : new String[] { FAIL };
	}

}
