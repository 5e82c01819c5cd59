package io.ringkernel.spring.boot.test.autoconfigure;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

import org.springframework.boot.autoconfigure.ImportAutoConfiguration;

/**
 * Has the ring kernels of a test run on a {@link io.ringkernel.test.ptx.PtxMachine
 * PtxMachine}, which interprets their PTX, and makes the machine a bean. Goes with
 * {@link RingKernelTest @RingKernelTest} as well as with {@code @SpringBootTest}.
 * <p>
 * No GPU is needed, and none is used. A kernel with an image runs on the machine, and so
 * does one whose handler is compiled for a device. A handler that cannot be compiled, and
 * one whose kernel sets {@code compile} to {@code off}, runs on the CPU. A kernel that
 * accesses memory which is not there, or waits for ever, loses the device;
 * {@code PtxMachine.faults()} says what it did.
 * <p>
 * The machine is slower than a device. A {@code request-timeout} below one minute is
 * therefore raised to one minute. To shorten it, declare a
 * {@link io.ringkernel.spring.KernelOptionsCustomizer KernelOptionsCustomizer}.
 *
 * @since 0.2.0
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@Documented
@Inherited
@ImportAutoConfiguration
public @interface AutoConfigurePtxMachine {

}
