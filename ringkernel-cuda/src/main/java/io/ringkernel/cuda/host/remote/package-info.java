/**
 * A host that runs, as the application sees it: its process, its loops and its memory.
 */
@NullMarked
package io.ringkernel.cuda.host.remote;

import org.jspecify.annotations.NullMarked;
