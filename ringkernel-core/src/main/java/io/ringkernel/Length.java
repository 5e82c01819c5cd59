package io.ringkernel;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Fixes the length of an array component of a message record: it lies inside the
 * message's fixed block, like an array member of a C struct, and every message carries
 * exactly that many elements.
 *
 * @since 0.1.0
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target({ ElementType.RECORD_COMPONENT, ElementType.FIELD, ElementType.PARAMETER, ElementType.METHOD })
public @interface Length {

	/**
	 * {@return the number of elements; at least 1}
	 */
	int value();

}
