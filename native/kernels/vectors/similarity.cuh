// How similar two vectors are, as a sum over their units. Every search rounds alike, whichever way
// it goes over the rows: a page that follows another one begins where that has ended.
#pragma once

/** Adds the products of two units, or subtracts the squares of what they differ by. */
template <bool EUCLIDEAN>
__device__ __forceinline__ float addSimilarity(float sum, float4 a, float4 b) {
  if (EUCLIDEAN) {
    float x = a.x - b.x;
    float y = a.y - b.y;
    float z = a.z - b.z;
    float w = a.w - b.w;
    return fmaf(-w, w, fmaf(-z, z, fmaf(-y, y, fmaf(-x, x, sum))));
  }
  return fmaf(a.w, b.w, fmaf(a.z, b.z, fmaf(a.y, b.y, fmaf(a.x, b.x, sum))));
}

/** Sums of huge elements overflow: what is no number has no place in an order. */
__device__ inline float numbered(float similarity) {
  return similarity == similarity ? similarity : __uint_as_float(0xff800000);
}
