/**
 * What both HTTP interfaces share: how numbers are read and how errors are told.
 */
@NullMarked
package io.ringkernel.sample.web;

import org.jspecify.annotations.NullMarked;
