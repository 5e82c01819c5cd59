/**
 * Ensembles of decision trees as XGBoost and LightGBM write them to files.
 */
@NullMarked
package io.ringkernel.models.forest;

import org.jspecify.annotations.NullMarked;
