/**
 * Ensembles of decision trees as XGBoost writes them to files.
 */
@NullMarked
package io.ringkernel.models.forest;

import org.jspecify.annotations.NullMarked;
