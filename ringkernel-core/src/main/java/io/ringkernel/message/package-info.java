/**
 * Messages: records and their fixed binary layouts. A layout is computed once from a
 * record class; from then on a message moves between the record and the bytes without
 * reflection. It knows nothing of rings and kernels.
 */
@NullMarked
package io.ringkernel.message;

import org.jspecify.annotations.NullMarked;
