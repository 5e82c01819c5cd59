package io.ringkernel.spring.exchange;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

import org.springframework.context.annotation.Import;

/**
 * Registers a bean for each interface that is annotated with
 * {@link RingKernelExchange @RingKernelExchange}: those that are named, and those below
 * some packages. Without any attribute these are the interfaces below the package of the
 * class that is annotated.
 *
 * @since 0.1.0
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@Documented
@Import(RingKernelExchangeRegistrar.class)
public @interface ImportRingKernelExchanges {

	/**
	 * Interfaces to register; here the annotation may also be on their methods alone.
	 * @return interfaces
	 */
	Class<?>[] types() default {};

	/**
	 * {@return the names of packages below which interfaces are looked for}
	 */
	String[] basePackages() default {};

	/**
	 * {@return classes below whose packages interfaces are looked for}
	 */
	Class<?>[] basePackageClasses() default {};

}
