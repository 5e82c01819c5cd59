/**
 * How requests get into their slots and responses out of them: as records, frames or in
 * place.
 */
@NullMarked
package io.ringkernel.session.encoding;

import org.jspecify.annotations.NullMarked;
