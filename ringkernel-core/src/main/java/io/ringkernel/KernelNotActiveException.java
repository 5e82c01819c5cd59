package io.ringkernel;

/**
 * The kernel takes no requests in its present state. Nothing was sent.
 */
public class KernelNotActiveException extends RingKernelException {

	private final String kernelId;

	private final KernelState state;

	/**
	 * Creates the exception.
	 * @param kernelId the kernel
	 * @param state the state it is in
	 */
	public KernelNotActiveException(String kernelId, KernelState state) {
		super("Ring kernel '%s' takes no requests: it is %s, not ACTIVE. %s".formatted(kernelId, state, remedy(state)),
				null);
		this.kernelId = kernelId;
		this.state = state;
	}

	private static String remedy(KernelState state) {
		return switch (state) {
			case CREATED, TERMINATED, FAILED -> "Relaunch it.";
			case LAUNCHED, INACTIVE -> "Activate it.";
			case ACTIVE, TERMINATING -> "Try again once it has been relaunched.";
		};
	}

	/**
	 * The kernel that takes no requests.
	 * @return the kernel id
	 */
	public String kernelId() {
		return this.kernelId;
	}

	/**
	 * The state that the kernel was in.
	 * @return the state
	 */
	public KernelState state() {
		return this.state;
	}

}
