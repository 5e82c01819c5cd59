package io.ringkernel.cuda.driver;

/**
 * The launch of a kernel with its parameter, prepared by the driver to be repeated.
 *
 * @since 0.1.0
 */
public interface CudaGraph {

}
