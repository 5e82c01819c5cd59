package io.ringkernel.sampletest;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

import io.ringkernel.sample.SampleApplication;

import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.context.annotation.Import;
import org.springframework.test.context.ActiveProfiles;

/**
 * Starts the whole application on a port of its own, with a {@link RestClients} bean
 * beside it. The profile is that of a developer.
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@SpringBootTest(classes = SampleApplication.class, webEnvironment = SpringBootTest.WebEnvironment.RANDOM_PORT,
		properties = "ringkernel.backend=cpu")
@ActiveProfiles("dev")
@Import(RestClients.class)
public @interface SampleTest {

}
