package io.ringkernel.spring.boot.autoconfigure.actuate;

import java.util.Arrays;
import java.util.Optional;
import java.util.stream.Collectors;

import io.ringkernel.platform.ConfiguredName;
import io.ringkernel.runtime.Kernel;
import org.jspecify.annotations.Nullable;

/** What an operator can do to a kernel. */
enum KernelAction {

	ACTIVATE, DEACTIVATE, TERMINATE, RELAUNCH;

	void perform(Kernel<?, ?> kernel) {
		switch (this) {
			case ACTIVATE -> kernel.activate();
			case DEACTIVATE -> kernel.deactivate();
			case TERMINATE -> kernel.terminate();
			case RELAUNCH -> kernel.relaunch();
		}
	}

	static Optional<KernelAction> of(@Nullable String name) {
		return Arrays.stream(values()).filter((action) -> ConfiguredName.of(action).equals(name)).findFirst();
	}

	/** All actions, as a sentence lists them. */
	static String names() {
		return Arrays.stream(values()).map(ConfiguredName::of).collect(Collectors.joining(", "));
	}

}
