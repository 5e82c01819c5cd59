package io.ringkernel.spring.boot.test.autoconfigure;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.test.autoconfigure.OverrideAutoConfiguration;
import org.springframework.boot.test.context.filter.annotation.TypeExcludeFilters;
import org.springframework.context.annotation.ComponentScan.Filter;
import org.springframework.core.annotation.AliasFor;
import org.springframework.test.context.BootstrapWith;
import org.springframework.test.context.junit.jupiter.SpringExtension;

/**
 * A test of ring kernels and of nothing else of the application.
 * <p>
 * Component scanning finds only classes annotated with
 * {@link io.ringkernel.spring.RingKernel @RingKernel}, all or some of them; of the
 * auto-configurations, only that of ring kernels is there. Kernels, their clients and the
 * runtime are beans as in the application, under the application's configuration. What a
 * handler needs, the test brings along: by {@code @Import}, {@code @MockitoBean}, or
 * {@code @EnableConfigurationProperties}; the same goes for kernels that are
 * {@code @Bean} methods of a configuration class.
 * <p>
 * Whether a device runs the kernels is decided as in the application. Settings of kernels
 * that are not part of the test are no mistake here.
 * <p>
 * The test fails if no device can run the image of a kernel, on a machine without a
 * device as well: {@code ringkernel.fail-on-unusable-image} is {@code true} unless
 * {@link #properties()} say otherwise. It then finds an image that the build does not
 * package, or that is older than its records.
 *
 * @see AutoConfigureRingKernelFaults
 * @see io.ringkernel.test.RingKernelAssertions
 * @since 0.1.0
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@Documented
@Inherited
@BootstrapWith(RingKernelTestContextBootstrapper.class)
@ExtendWith(SpringExtension.class)
@OverrideAutoConfiguration(enabled = false)
@TypeExcludeFilters(RingKernelTypeExcludeFilter.class)
@AutoConfigureRingKernels
@ImportAutoConfiguration
public @interface RingKernelTest {

	/**
	 * {@return properties of the test, as {@code key=value}}
	 */
	String[] properties() default {};

	/**
	 * {@return the classes of the kernels to test; the same as {@link #kernels()}}
	 */
	@AliasFor("kernels")
	Class<?>[] value() default {};

	/**
	 * {@return the classes of the kernels to test; none for all that are found}
	 */
	@AliasFor("value")
	Class<?>[] kernels() default {};

	/**
	 * Whether component scanning is limited to kernels. If not, only the filters limit
	 * it.
	 * @return whether it is
	 */
	boolean useDefaultFilters() default true;

	/**
	 * {@return what else is to be found by component scanning}
	 */
	Filter[] includeFilters() default {};

	/**
	 * {@return what is not to be found by component scanning}
	 */
	Filter[] excludeFilters() default {};

	/**
	 * {@return auto-configurations to leave out}
	 */
	@AliasFor(annotation = ImportAutoConfiguration.class, attribute = "exclude")
	Class<?>[] excludeAutoConfiguration() default {};

}
