package io.ringkernel.spring.boot.test.autoconfigure.example;

import org.springframework.boot.context.properties.ConfigurationProperties;

@ConfigurationProperties("example")
public record ExampleProperties(String name) {

}
