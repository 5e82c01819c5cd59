package com.example;

import io.ringkernel.Capacity;

public record HistogramRequest(@Capacity(4096) byte[] values) {
}
