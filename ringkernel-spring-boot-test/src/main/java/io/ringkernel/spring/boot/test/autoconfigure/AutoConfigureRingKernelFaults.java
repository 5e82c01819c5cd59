package io.ringkernel.spring.boot.test.autoconfigure;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

import org.springframework.boot.autoconfigure.ImportAutoConfiguration;

/**
 * Has the ring kernels of a test run where faults can be injected, and makes the
 * {@link io.ringkernel.test.fault.RingKernelFaults RingKernelFaults} a bean, which is
 * reset after each test. Goes with {@link RingKernelTest @RingKernelTest} as well as with
 * {@code @SpringBootTest}.
 * <p>
 * Java threads run the kernels then, on a machine with a device as well, and whatever
 * {@code ringkernel.backend} says.
 *
 * @since 0.1.0
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@Documented
@Inherited
@ImportAutoConfiguration
public @interface AutoConfigureRingKernelFaults {

}
