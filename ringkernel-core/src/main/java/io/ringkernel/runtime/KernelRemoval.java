package io.ringkernel.runtime;

/**
 * A runtime has terminated a kernel and forgotten it.
 *
 * @param kernel the kernel
 * @since 0.2.0
 */
public record KernelRemoval(Kernel<?, ?> kernel) implements KernelEvent {
}
