package io.ringkernel.cuda.driver;

/**
 * The launch of a kernel with its parameter, prepared by the driver to be repeated.
 */
public interface CudaGraph {

}
