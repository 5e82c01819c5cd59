package io.ringkernel.cuda.driver;

/**
 * A stream: what is put on it is done in order. An opaque handle, of use to the context
 * that made it.
 *
 * @since 0.1.0
 */
public interface CudaStream {

}
