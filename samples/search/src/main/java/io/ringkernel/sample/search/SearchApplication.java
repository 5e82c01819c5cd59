package io.ringkernel.sample.search;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.context.properties.ConfigurationPropertiesScan;

/**
 * The application. Its kernel is that of the vector store.
 */
@SpringBootApplication
@ConfigurationPropertiesScan
public class SearchApplication {

	/**
	 * Starts the application.
	 * @param args command line arguments, among them properties such as
	 * {@code --server.port=8081}
	 */
	public static void main(String[] args) {
		SpringApplication.run(SearchApplication.class, args);
	}

}
