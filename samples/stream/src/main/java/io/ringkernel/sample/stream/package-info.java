/**
 * An application that scores card transactions from a Kafka topic: what lies around the
 * kernel. The state of the kernel follows from the topics alone.
 */
@NullMarked
package io.ringkernel.sample.stream;

import org.jspecify.annotations.NullMarked;
