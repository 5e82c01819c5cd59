package io.ringkernel.cuda.driver;

/**
 * A kernel entry of a module. An opaque handle, of use to the context that made it.
 *
 * @since 0.1.0
 */
public interface CudaFunction {

}
