package io.ringkernel.exception;

import io.ringkernel.KernelState;

/**
 * The kernel takes no requests in its present state. Nothing was sent.
 *
 * @since 0.1.0
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
		this(kernelId, state, remedy(state));
	}

	/**
	 * Creates the exception for a state that has a remedy of its own.
	 * @param kernelId the kernel
	 * @param state the state it is in
	 * @param remedy what to do: sentences
	 * @since 0.2.0
	 */
	public KernelNotActiveException(String kernelId, KernelState state, String remedy) {
		super("Ring kernel '%s' takes no requests: it is %s, not ACTIVE. %s".formatted(kernelId, state, remedy), null);
		this.kernelId = kernelId;
		this.state = state;
	}

	KernelNotActiveException(String kernelId, String consequence, KernelNotActiveException why) {
		super("%s %s".formatted(why.getMessage(), consequence), why);
		this.kernelId = kernelId;
		this.state = why.state;
	}

	private static String remedy(KernelState state) {
		return switch (state) {
			case CREATED -> "It has not been launched yet. A Spring application launches its kernels once all "
					+ "singleton beans exist: call it from then on, for example in an ApplicationRunner.";
			case LAUNCHED -> "It is starting. Activate it, or wait until it is ACTIVE.";
			case ACTIVE -> "It changes its state. Try again.";
			case INACTIVE -> "It was deactivated. Activate it.";
			case TERMINATING, TERMINATED ->
				"It was terminated, as it is when the application shuts down. Relaunch it if the application goes on.";
			case FAILED -> "Its status says why it failed. Relaunch it.";
		};
	}

	/**
	 * {@return the id of the kernel that takes no requests}
	 */
	public String kernelId() {
		return this.kernelId;
	}

	/**
	 * {@return the state that the kernel was in}
	 */
	public KernelState state() {
		return this.state;
	}

}
