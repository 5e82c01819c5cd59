package com.example;

import io.ringkernel.Capacity;

public record StandardizeResponse(float mean, float deviation, @Capacity(4096) float[] scores) {
}
