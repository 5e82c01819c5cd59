package io.ringkernel.sample.image;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Skips the tests where Docker or the base image is missing, and prints which. Where the
 * environment variable {@value DockerCondition#REQUIRED} is {@code required}, they fail
 * instead.
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@ExtendWith(DockerCondition.class)
@interface RequiresDocker {

}
