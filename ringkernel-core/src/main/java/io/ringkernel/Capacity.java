package io.ringkernel;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Bounds a variable-length component of a message record: the most elements of an array,
 * or the most UTF-8 bytes of a {@link String}. Only what is used crosses the bus.
 *
 * @since 0.1.0
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target({ ElementType.RECORD_COMPONENT, ElementType.FIELD, ElementType.PARAMETER, ElementType.METHOD })
public @interface Capacity {

	/**
	 * {@return the capacity: elements for an array, UTF-8 bytes for a string; at least 1}
	 */
	int value();

}
