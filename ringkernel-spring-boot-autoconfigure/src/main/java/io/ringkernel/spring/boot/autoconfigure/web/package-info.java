/**
 * Auto-configuration of HTTP errors, where Spring MVC or WebFlux is there.
 */
@NullMarked
package io.ringkernel.spring.boot.autoconfigure.web;

import org.jspecify.annotations.NullMarked;
