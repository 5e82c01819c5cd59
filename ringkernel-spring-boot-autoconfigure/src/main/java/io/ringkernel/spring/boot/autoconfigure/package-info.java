/**
 * Auto-configuration of ring kernels: properties, beans and failure analysis.
 */
@NullMarked
package io.ringkernel.spring.boot.autoconfigure;

import org.jspecify.annotations.NullMarked;
