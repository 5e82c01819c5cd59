package com.example;

import io.ringkernel.Capacity;

public record SaxpyResponse(@Capacity(4096) float[] values) {
}
