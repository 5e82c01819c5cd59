/**
 * A live page of ring kernels. It is an Actuator endpoint, so that the management port,
 * the base path, exposure, access and security apply to it as to any other one.
 */
@NullMarked
package io.ringkernel.spring.dashboard;

import org.jspecify.annotations.NullMarked;
