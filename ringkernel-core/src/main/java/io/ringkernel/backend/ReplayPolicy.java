package io.ringkernel.backend;

/**
 * Decides which requests are handled again if a worker may have begun them when a device,
 * or the process that uses it, has ended by force. It is asked about kernels whose
 * {@link Replay} is {@link Replay#NEVER}, so that a kernel may have some requests that
 * bear it and others that do not.
 *
 * @since 0.2.0
 */
@FunctionalInterface
public interface ReplayPolicy {

	/**
	 * Decides about a request. Called on the thread that hands the kernel over, while its
	 * callers wait. A request that this throws for fails as lost, as one that it does not
	 * admit.
	 * @param kernelId the id of the kernel
	 * @param request the request
	 * @return whether handling it twice does no more than handling it once; it is then
	 * handled in the order in which requests were sent
	 */
	boolean mayHandleAgain(String kernelId, Record request);

}
