package io.ringkernel.spring.boot.autoconfigure.actuate;

import java.util.List;
import java.util.Set;

import io.ringkernel.spring.boot.autoconfigure.actuate.PathArguments.Argument;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link PathArguments}.
 */
class PathArgumentsTests {

	private static final List<Argument> TWICE = List.of(Argument.id("twice"));

	@ParameterizedTest
	@ValueSource(strings = { "/actuator/ringkernels/twice", "/actuator/ringkernels/twice/", "/ringkernels/tw%69ce",
			"/app/actuator/ringkernels/twice;jsessionid=1", "//ringkernels//twice" })
	void pathThatNamesTheKernelIsNotContradicted(String path) {
		assertThat(PathArguments.contradiction(path, Set.of(), TWICE)).isNull();
	}

	@ParameterizedTest
	@ValueSource(strings = { "/actuator/ringkernels/other", "/actuator/ringkernels/other%2Ftwice",
			"/actuator/ringkernels/other;/twice=1", "/actuator/ringkernels/twice/ring", "/", "" })
	void pathThatNamesAnotherKernelIsContradicted(String path) {
		assertThat(PathArguments.contradiction(path, Set.of(), TWICE))
			.isEqualTo("The body has 'id'. Name the kernel in the path alone.");
	}

	@ParameterizedTest
	@ValueSource(strings = { "id", "action" })
	void queryNamesNeitherKernelNorAction(String name) {
		assertThat(PathArguments.contradiction("/actuator/ringkernels/twice", Set.of("pretty", name), TWICE))
			.isEqualTo("The query has '%s'. Name the kernel in the path and the action in the body.".formatted(name));
	}

	@Test
	void allArgumentsAreThoseOfThePathInItsOrder() {
		List<Argument> arguments = List.of(Argument.id("twice"), Argument.view("ring"));
		assertThat(PathArguments.contradiction("/ringkernels/twice/ring", Set.of(), arguments)).isNull();
		assertThat(PathArguments.contradiction("/ringkernels/ring/twice", Set.of(), arguments)).contains("'id'");
		assertThat(PathArguments.contradiction("/ringkernels/twice/square", Set.of(), arguments)).contains("'view'");
		assertThat(PathArguments.contradiction("/ringkernels/twice/ring", Set.of("view"), arguments))
			.contains("'view'");
	}

}
