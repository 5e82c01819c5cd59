package io.ringkernel.cuda.codegen.example;

public record Total(long amount) {
}
