package com.example;

import io.ringkernel.Capacity;

/**
 * How often each value occurs in the request, and how many values the kernel has counted
 * in all of its requests.
 */
public record HistogramResponse(@Capacity(256) int[] counts, long counted) {
}
