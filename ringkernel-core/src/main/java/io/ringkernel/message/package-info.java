/**
 * Messages: records and their fixed binary layouts. A
 * {@link io.ringkernel.message.MessageLayout} is computed once for each record class. It
 * generates a class that moves the record to bytes and back without reflection; in a
 * native image, which cannot define classes, it calls accessors and constructors through
 * method handles. The package knows nothing of rings and kernels.
 */
@NullMarked
package io.ringkernel.message;

import org.jspecify.annotations.NullMarked;
