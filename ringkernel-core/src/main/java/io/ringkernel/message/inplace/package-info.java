/**
 * Messages that an application fills and reads element by element, without a record.
 */
@NullMarked
package io.ringkernel.message.inplace;

import org.jspecify.annotations.NullMarked;
