/**
 * Auto-configuration of ensembles by their properties.
 */
@NullMarked
package io.ringkernel.models.autoconfigure;

import org.jspecify.annotations.NullMarked;
