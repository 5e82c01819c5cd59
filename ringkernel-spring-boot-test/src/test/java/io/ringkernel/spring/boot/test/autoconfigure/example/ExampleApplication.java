package io.ringkernel.spring.boot.test.autoconfigure.example;

import io.ringkernel.spring.exchange.ImportRingKernelExchanges;

import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.context.properties.ConfigurationPropertiesScan;

/**
 * An application with two kernels, and more than them.
 */
@SpringBootApplication
@ImportRingKernelExchanges
@ConfigurationPropertiesScan
public class ExampleApplication {

}
