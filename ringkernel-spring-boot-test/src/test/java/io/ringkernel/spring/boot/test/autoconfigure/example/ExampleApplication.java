package io.ringkernel.spring.boot.test.autoconfigure.example;

import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.context.properties.ConfigurationPropertiesScan;

/**
 * An application with two kernels, and more than them.
 */
@SpringBootApplication
@ConfigurationPropertiesScan
public class ExampleApplication {

}
