package com.example;

import io.ringkernel.Capacity;

public record StandardizeRequest(@Capacity(4096) float[] values) {
}
