package io.ringkernel.cuda.driver;

/**
 * Machine code that the driver made of PTX and has not loaded yet. An opaque handle, of
 * use to the context that made it.
 *
 * @since 0.2.0
 */
public interface MachineCode {

}
