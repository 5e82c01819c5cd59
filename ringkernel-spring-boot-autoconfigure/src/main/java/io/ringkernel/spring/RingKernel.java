package io.ringkernel.spring;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

import io.ringkernel.backend.Replay;

import org.springframework.stereotype.Component;

/**
 * Makes a {@link io.ringkernel.RingKernelHandler} bean a ring kernel. It is a stereotype
 * for a class that is found by component scanning, and may be put on a {@code @Bean}
 * method instead, where the method's return type says what the kernel speaks:
 *
 * <pre class="code">
 * &#064;RingKernel(id = "vector-add", image = "classpath:kernels/vector_add.ptx")
 * class VectorAdd implements RingKernelHandler&lt;AddRequest, AddResponse&gt; { }
 *
 * &#064;Bean
 * &#064;RingKernel(id = "echo")
 * RingKernelHandler&lt;Ping, Pong&gt; echo() {
 * 	return (ping) -&gt; new Pong(ping.value());
 * }
 * </pre>
 *
 * For each kernel there is a {@code RingKernelClient} bean, to be injected by its type
 * arguments or with the kernel's id as its qualifier, and a
 * {@link io.ringkernel.runtime.Kernel} bean that controls it, likewise:
 *
 * <pre class="code">
 * VectorController(RingKernelClient&lt;AddRequest, AddResponse&gt; client) { }
 *
 * VectorController(&#064;Qualifier("vector-add") RingKernelClient&lt;AddRequest, AddResponse&gt; client) { }
 * </pre>
 *
 * The handler is a singleton, or stands behind a scoped proxy.
 *
 * @since 0.1.0
 */
@Target({ ElementType.TYPE, ElementType.METHOD })
@Retention(RetentionPolicy.RUNTIME)
@Documented
@Component
public @interface RingKernel {

	/**
	 * The id of the kernel: lower-case letters, digits and single hyphens between them.
	 * It is unique in the application, and names the kernel in configuration.
	 * @return the kernel id
	 */
	String id();

	/**
	 * Where the CUDA image of the kernel is found, as a resource location such as
	 * {@code classpath:kernels/vector_add.ptx}. The kernel in it is the only one, or the
	 * one with the name of this, underscores for hyphens; another is named behind the
	 * location, as in {@code classpath:kernels/all.ptx#vector_add}. Placeholders such as
	 * {@code ${kernels.directory}/vector_add.ptx} are resolved. The property
	 * {@code ringkernel.kernels.<id>.image} takes precedence.
	 * @return the resource location, or an empty string for a kernel that has no image
	 */
	String image() default "";

	/**
	 * What becomes of a request that may have been begun on a device that has ended by
	 * force. The property {@code ringkernel.kernels.<id>.replay} takes precedence.
	 * @return whether such a request is handled again, or fails with a
	 * {@link io.ringkernel.exception.RequestLostException}
	 * @since 0.2.0
	 */
	Replay replay() default Replay.NEVER;

	/**
	 * Whether the client and the kernel are injected where several have the same types
	 * and no qualifier says which. {@code @Primary} on the handler has the same effect.
	 * @return whether this kernel is the primary one of its types
	 * @since 0.2.0
	 */
	boolean primary() default false;

}
