package io.ringkernel.spring.ai.autoconfigure;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

import org.springframework.context.annotation.Conditional;

/**
 * Matches if {@link RingKernelVectorStoreProperties#storage()} is a value, however it is
 * spelled.
 */
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.RUNTIME)
@Conditional(OnStorageCondition.class)
@interface ConditionalOnStorage {

	/** As what the kernel keeps the elements of vectors. */
	io.ringkernel.spring.ai.search.ElementType value();

}
