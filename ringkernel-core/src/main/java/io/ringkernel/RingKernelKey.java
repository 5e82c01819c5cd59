package io.ringkernel;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

import io.ringkernel.routing.KeyExtractor;

/**
 * The component of a request that says which replica serves it, if the requests of the
 * kernel are routed by key. Requests with equal keys go to the same replica. The
 * component is a {@code byte}, {@code short}, {@code char}, {@code int}, {@code long},
 * {@link String} or enum; a {@link KeyExtractor} reads other keys.
 *
 * <pre class="code">
 * record Transaction(&#064;RingKernelKey long card, double amount) { }
 * </pre>
 *
 * @since 0.2.0
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.RECORD_COMPONENT)
public @interface RingKernelKey {

}
