package io.ringkernel.sample.search;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

import org.springframework.boot.test.context.SpringBootTest;

/**
 * Starts the whole application on a port of its own with the nouns that are used most.
 * The picture of the README has all of them, in a store that a run of the application has
 * left: {@code -Dtest.passages=82192 -Dtest.store=DIRECTORY}.
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@SpringBootTest(webEnvironment = SpringBootTest.WebEnvironment.RANDOM_PORT,
		properties = { "ringkernel.backend=cpu", "sample.search.passages=${test.passages:" + SearchTest.PASSAGES + "}",
				"spring.ai.vectorstore.ringkernel.directory=${test.store:target/stores/${random.uuid}}" })
@interface SearchTest {

	/** They are embedded within about a second. */
	int PASSAGES = 400;

}
