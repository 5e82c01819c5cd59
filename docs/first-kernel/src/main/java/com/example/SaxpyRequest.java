package com.example;

import io.ringkernel.Capacity;

public record SaxpyRequest(float a, @Capacity(4096) float[] x, @Capacity(4096) float[] y) {
}
