package io.ringkernel.spring.boot.test.autoconfigure;

import org.springframework.boot.test.autoconfigure.TestSliceTestContextBootstrapper;

/**
 * Bootstraps the context of a {@link RingKernelTest @RingKernelTest}.
 */
class RingKernelTestContextBootstrapper extends TestSliceTestContextBootstrapper<RingKernelTest> {

}
