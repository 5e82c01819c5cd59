package io.ringkernel.spring.boot.autoconfigure.actuate;

import java.util.Arrays;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Collectors;

import io.ringkernel.runtime.Kernel;
import org.jspecify.annotations.Nullable;

/**
 * What an operator can do to a kernel.
 */
enum KernelAction {

	ACTIVATE(Kernel::activate),

	DEACTIVATE(Kernel::deactivate),

	TERMINATE(Kernel::terminate),

	RELAUNCH(Kernel::relaunch);

	private final Consumer<Kernel<?, ?>> operation;

	KernelAction(Consumer<Kernel<?, ?>> operation) {
		this.operation = operation;
	}

	void perform(Kernel<?, ?> kernel) {
		this.operation.accept(kernel);
	}

	static Optional<KernelAction> of(@Nullable String name) {
		return Arrays.stream(values()).filter((action) -> KernelDetails.asConfigured(action).equals(name)).findFirst();
	}

	/**
	 * All actions, as a sentence lists them.
	 */
	static String names() {
		return Arrays.stream(values()).map(KernelDetails::asConfigured).collect(Collectors.joining(", "));
	}

}
