package io.ringkernel.spring.boot.test.autoconfigure;

import java.util.Set;

import io.ringkernel.spring.RingKernel;

import org.springframework.boot.context.TypeExcludeFilter;
import org.springframework.boot.test.context.filter.annotation.StandardAnnotationCustomizableTypeExcludeFilter;

/** {@link TypeExcludeFilter} for {@link RingKernelTest @RingKernelTest}. */
class RingKernelTypeExcludeFilter extends StandardAnnotationCustomizableTypeExcludeFilter<RingKernelTest> {

	private static final Class<?>[] ALL = {};

	private final Set<Class<?>> kernels;

	RingKernelTypeExcludeFilter(Class<?> testClass) {
		super(testClass);
		this.kernels = Set.of(getAnnotation().getValue("kernels", Class[].class).orElse(ALL));
	}

	@Override
	protected Set<Class<?>> getKnownIncludes() {
		return this.kernels.isEmpty() ? Set.of(RingKernel.class) : Set.of();
	}

	@Override
	protected Set<Class<?>> getComponentIncludes() {
		return this.kernels;
	}

}
