package io.ringkernel.cuda.driver;

/**
 * A loaded module. An opaque handle, of use to the context that made it.
 */
public interface CudaModule {

}
