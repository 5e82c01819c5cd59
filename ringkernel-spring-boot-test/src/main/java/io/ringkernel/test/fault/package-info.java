/**
 * A backend that fails on demand, for tests of an application's resilience. It is the CPU
 * backend with faults between the ring and the handler, so that everything above, from
 * client to health, meets them as it would meet those of a device.
 */
@NullMarked
package io.ringkernel.test.fault;

import org.jspecify.annotations.NullMarked;
