/**
 * The kernel host: a process of its own that a device is used from, so that what ends it
 * does not end the application. In the application, {@link KernelHostProvider} starts the
 * host and passes on what a backend is asked for; in the host,
 * {@link io.ringkernel.cuda.host.server.HostServer} does it. Messages never pass the
 * socket between them: they lie in memory that both have mapped.
 */
@NullMarked
package io.ringkernel.cuda.host;

import org.jspecify.annotations.NullMarked;
