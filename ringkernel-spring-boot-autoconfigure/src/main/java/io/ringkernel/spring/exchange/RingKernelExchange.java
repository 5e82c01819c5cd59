package io.ringkernel.spring.exchange;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

import io.ringkernel.RequestPriority;

/**
 * Declares that the methods of an interface, or one of them, call a ring kernel:
 *
 * <pre class="code">
 * &#064;RingKernelExchange("vector-add")
 * interface Vectors {
 *
 * 	AddResponse add(AddRequest request);
 *
 * 	AddResponse add(AddRequest request, Duration timeout, RequestPriority priority);
 *
 * 	CompletableFuture&lt;AddResponse&gt; addLater(AddRequest request);
 *
 * 	List&lt;AddResponse&gt; addAll(List&lt;AddRequest&gt; requests);
 *
 * 	Mono&lt;AddResponse&gt; addReactively(AddRequest request);
 *
 * 	Flux&lt;AddResponse&gt; addStream(Flux&lt;AddRequest&gt; requests);
 *
 * 	&#064;RingKernelExchange(oneWay = true)
 * 	void warmUp(AddRequest request);
 *
 * }
 * </pre>
 *
 * A method takes one request, a list or a publisher of them and, if it likes, a
 * {@link java.time.Duration} as the timeout and a {@link RequestPriority} of this call.
 * An interface may extend {@code Function<AddRequest, AddResponse>}. It fails as
 * {@link io.ringkernel.RingKernelClient} describes. {@link ImportRingKernelExchanges}
 * makes such interfaces beans.
 * <p>
 * What is declared on a method goes before what is declared on its interface, attribute
 * by attribute.
 *
 * @since 0.1.0
 */
@Target({ ElementType.TYPE, ElementType.METHOD })
@Retention(RetentionPolicy.RUNTIME)
@Documented
public @interface RingKernelExchange {

	/**
	 * {@return the id of the kernel; empty on a method for that of the interface}
	 */
	String value() default "";

	/**
	 * How long a call may take where it does not say, such as {@code 50ms} or
	 * {@code ${add.timeout}}; that of a batch, where a method sends one.
	 * @return the timeout; empty for the kernel's request timeout
	 */
	String timeout() default "";

	/**
	 * The priority of a call that does not say.
	 * @return one priority at most; none for {@link RequestPriority#NORMAL}
	 */
	RequestPriority[] priority() default {};

	/**
	 * {@return how many requests of a stream are in flight at most: a positive number, or
	 * 0 for 32}
	 */
	int inFlight() default 0;

	/**
	 * Whether the response is discarded, which a method without a result has to say: it
	 * returns when the request has been sent, and does not learn of a later failure,
	 * which is counted and logged.
	 * @return whether a method is one-way
	 */
	boolean oneWay() default false;

}
