#pragma once

__device__ __forceinline__ float added(float a, float b) {
  return a + b;
}
