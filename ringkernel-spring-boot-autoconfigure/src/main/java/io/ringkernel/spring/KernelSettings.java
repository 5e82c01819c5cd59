package io.ringkernel.spring;

import java.util.List;

import io.ringkernel.backend.KernelOptions;
import io.ringkernel.backend.Replay;
import io.ringkernel.runtime.Replication;

/**
 * How each kernel is run, as the application configures it.
 *
 * @since 0.1.0
 */
@FunctionalInterface
public interface KernelSettings {

	/**
	 * The routing to a replica with few requests in flight.
	 * @since 0.2.0
	 */
	String LEAST_LOADED = "least-loaded";

	/**
	 * The routing by the component with {@link io.ringkernel.RingKernelKey}.
	 * @since 0.2.0
	 */
	String BY_KEY = "key";

	/**
	 * How a kernel is run.
	 * @param kernelId the id of the kernel
	 * @return its options
	 * @throws io.ringkernel.exception.InvalidConfigurationException if a value is out of
	 * its range
	 */
	KernelOptions optionsOf(String kernelId);

	/**
	 * How many replicas a kernel has, and on which devices.
	 * @param kernelId the id of the kernel
	 * @return its replication
	 * @throws io.ringkernel.exception.InvalidConfigurationException if a value is out of
	 * its range
	 * @since 0.2.0
	 */
	default Replication replicationOf(String kernelId) {
		return Replication.NONE;
	}

	/**
	 * How requests of a kernel find a replica.
	 * @param kernelId the id of the kernel
	 * @return {@value #LEAST_LOADED}, {@value #BY_KEY}, or the name of a
	 * {@link io.ringkernel.routing.KeyExtractor} bean
	 * @since 0.2.0
	 */
	default String routingOf(String kernelId) {
		return LEAST_LOADED;
	}

	/**
	 * What consumes messages for a kernel, and is paused while that takes no requests.
	 * @param kernelId the id of the kernel
	 * @return names of input bindings of Spring Cloud Stream, and ids of Kafka listeners
	 * @since 0.2.0
	 */
	default List<String> consumersOf(String kernelId) {
		return List.of();
	}

	/**
	 * Where the CUDA image of a kernel is found.
	 * @param kernelId the id of the kernel
	 * @param declared what {@link RingKernel#image()} says, or an empty string
	 * @return the resource location; an empty string for a kernel that is to have no
	 * image
	 * @since 0.2.0
	 */
	default String imageOf(String kernelId, String declared) {
		return declared;
	}

	/**
	 * What becomes of a request that may have been begun on a device that has ended by
	 * force. By default, what is declared holds, and the options if nothing is.
	 * @param kernelId the id of the kernel
	 * @param declared what {@link RingKernel#replay()} says
	 * @return what holds for the kernel, in place of the replay of its options
	 * @since 0.2.0
	 */
	default Replay replayOf(String kernelId, Replay declared) {
		return (declared == Replay.NEVER) ? optionsOf(kernelId).replay() : declared;
	}

	/**
	 * The name under which a setting of a kernel is to be found in configuration.
	 * @param kernelId the id of the kernel
	 * @param setting the setting, such as {@code ring-memory}
	 * @return its full name
	 */
	default String nameOf(String kernelId, String setting) {
		return setting;
	}

}
