package io.ringkernel.backend;

import java.util.List;
import java.util.ServiceLoader;
import java.util.function.Consumer;

import io.ringkernel.exception.InvalidConfigurationException;
import io.ringkernel.exception.UnusableImageException;
import io.ringkernel.platform.BackendKind;
import io.ringkernel.platform.ExecutionPlan;
import io.ringkernel.platform.HostEvent;
import io.ringkernel.platform.HostStatus;
import io.ringkernel.platform.PlanOffer;
import io.ringkernel.platform.PlanRequest;

/**
 * Makes a backend known; found by {@link java.util.ServiceLoader}.
 *
 * @since 0.1.0
 */
public interface BackendProvider {

	/**
	 * {@return new providers of those that the class path names, in its order}
	 * @since 0.2.0
	 */
	static List<BackendProvider> installed() {
		return ServiceLoader.load(BackendProvider.class, BackendProvider.class.getClassLoader())
			.stream()
			.map(ServiceLoader.Provider::get)
			.toList();
	}

	/**
	 * {@return the kind of backend}
	 */
	BackendKind kind();

	/**
	 * Looks at the platform and says how, or why not, kernels can be run on the device
	 * that is asked for. Takes less than 500 ms. What goes wrong is a reason to refuse.
	 * @param request what the configuration asks for
	 * @return a plan, or a refusal
	 * @throws InvalidConfigurationException if there are devices, and none with the
	 * number that is asked for
	 */
	PlanOffer plan(PlanRequest request);

	/**
	 * Says how kernels can be run after a plan of this provider has failed. Takes no
	 * longer than {@link #plan} and never fails.
	 * @param failed the plan that has failed
	 * @param why what the plan has failed with
	 * @param request what the configuration asks for
	 * @return a plan that is still to be tried, or a refusal
	 */
	default PlanOffer planAfter(ExecutionPlan failed, PlanFailedException why, PlanRequest request) {
		return new PlanOffer.Refused(why.reason(), "Relaunch the kernel.");
	}

	/**
	 * {@return whether this backend makes an image of a handler that has none, if
	 * {@link #checkImage} does not object}
	 * @since 0.2.0
	 */
	default boolean compilesHandlers() {
		return false;
	}

	/**
	 * Checks whether the image of a kernel could run on this backend, without calling a
	 * driver: a build or a machine without a device finds out as well. What {@link #plan}
	 * has found out about a device counts.
	 * @param kernel the kernel; it has an image
	 * @throws UnusableImageException if no launch of it could succeed
	 * @since 0.2.0
	 */
	default void checkImage(KernelSpec<?, ?> kernel) {
	}

	/**
	 * Opens the backend.
	 * @param plan a plan of this provider's
	 * @return the backend
	 */
	Backend open(ExecutionPlan plan);

	/**
	 * {@return how the kernel hosts are, without asking them: one for each device that a
	 * host was asked for, in the order of the devices; empty if devices are used from
	 * this process}
	 * @since 0.2.0
	 */
	default List<HostStatus> hosts() {
		return List.of();
	}

	/**
	 * Has a listener told what happens to kernel hosts from now on, if there are any.
	 * @param listener the listener, which must not wait
	 * @since 0.2.0
	 */
	default void addHostListener(Consumer<HostEvent> listener) {
	}

	/**
	 * Has a listener told no more.
	 * @param listener the listener
	 * @since 0.2.0
	 */
	default void removeHostListener(Consumer<HostEvent> listener) {
	}

}
