/**
 * The machine that executes decoded PTX: memory, grids, blocks and warps. It knows no
 * instruction by name.
 */
@NullMarked
package io.ringkernel.test.ptx.machine;

import org.jspecify.annotations.NullMarked;
