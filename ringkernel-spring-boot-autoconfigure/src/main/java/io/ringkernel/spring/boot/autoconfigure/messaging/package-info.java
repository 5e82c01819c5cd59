/**
 * Auto-configuration of message converters, where Spring's messages are there.
 */
@NullMarked
package io.ringkernel.spring.boot.autoconfigure.messaging;

import org.jspecify.annotations.NullMarked;
