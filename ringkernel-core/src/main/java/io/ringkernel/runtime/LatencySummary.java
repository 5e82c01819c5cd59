package io.ringkernel.runtime;

/**
 * How long the timed requests of a kernel took so far. Times are in nanoseconds; a
 * percentile is exact to 6 %.
 *
 * @param count how many were timed
 * @param mean the mean
 * @param p50 the median
 * @param p90 what nine in ten did not exceed
 * @param p99 what 99 in a hundred did not exceed
 * @param p999 what 999 in a thousand did not exceed
 * @param max the longest
 */
public record LatencySummary(long count, double mean, long p50, long p90, long p99, long p999, long max) {
}
