package io.ringkernel.spring;

/**
 * Says why a process of its own cannot use the CUDA devices for this application. If
 * there is such a bean, {@code ringkernel.isolation: auto} leaves the devices to the
 * application. An application that sends its kernels addresses of
 * {@link io.ringkernel.cuda.DeviceMemory} declares one, since these are valid in the
 * process alone that has allocated the memory.
 *
 * @param reason a clause, such as "the index lies in device memory of the application"
 * @since 0.2.0
 */
public record IsolationObstacle(String reason) {
}
