package io.ringkernel.sample.stream;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.context.properties.ConfigurationPropertiesScan;

/**
 * The application. Start as many of them as there is load for: Kafka shares the
 * partitions among them.
 */
@SpringBootApplication
@ConfigurationPropertiesScan
public class StreamApplication {

	public static void main(String[] args) {
		SpringApplication.run(StreamApplication.class, args);
	}

}
