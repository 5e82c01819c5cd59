/**
 * The HTTP API and its errors; the page is a static resource.
 */
@NullMarked
package io.ringkernel.sample.search.web;

import org.jspecify.annotations.NullMarked;
