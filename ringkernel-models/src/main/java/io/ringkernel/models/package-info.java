/**
 * Ensembles of decision trees that a ring kernel scores.
 */
@NullMarked
package io.ringkernel.models;

import org.jspecify.annotations.NullMarked;
