package io.ringkernel.cuda.driver;

/**
 * A loaded module. An opaque handle, of use to the context that made it.
 *
 * @since 0.1.0
 */
public interface CudaModule {

	/**
	 * {@return what the driver said when it compiled the image; empty if nothing}
	 * @since 0.2.0
	 */
	default String log() {
		return "";
	}

}
