/**
 * What becomes of the sample when it is packaged, processed ahead of time and restarted.
 */
package io.ringkernel.sample.packaging;
