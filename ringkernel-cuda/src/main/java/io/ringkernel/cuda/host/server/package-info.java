/**
 * The host itself: the process that opens backends and runs loops for an application.
 */
@NullMarked
package io.ringkernel.cuda.host.server;

import org.jspecify.annotations.NullMarked;
