/**
 * Tests of ring kernels with Spring Boot: a test slice, and faults as beans.
 */
@NullMarked
package io.ringkernel.spring.boot.test.autoconfigure;

import org.jspecify.annotations.NullMarked;
