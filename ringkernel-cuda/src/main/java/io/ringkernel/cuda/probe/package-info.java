/**
 * What a device and its driver can do, found out by trying: the driver is started, a
 * small kernel is run, and what was seen is written down as findings.
 */
@NullMarked
package io.ringkernel.cuda.probe;

import org.jspecify.annotations.NullMarked;
