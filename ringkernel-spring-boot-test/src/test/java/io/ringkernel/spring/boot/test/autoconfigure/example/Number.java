package io.ringkernel.spring.boot.test.autoconfigure.example;

public record Number(int value) {

}
