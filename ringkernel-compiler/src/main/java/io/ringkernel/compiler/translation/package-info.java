/**
 * What all methods of a handler share while they are translated: the code, its memory,
 * its messages, and how it fails.
 */
@NullMarked
package io.ringkernel.compiler.translation;

import org.jspecify.annotations.NullMarked;
