/**
 * What the way through the ring costs a request over HTTP.
 */
@NullMarked
package io.ringkernel.sampletest.http;

import org.jspecify.annotations.NullMarked;
