package io.ringkernel.sample.readme;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.Set;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A {@code ./mvnw} command of a page. It is not run here, inside a build; it is checked
 * that the modules and plugins that it names are those of the build.
 *
 * @param pom the project to build, from the root
 * @param modules the modules after {@code -pl}
 * @param goals its phases, and goals as {@code prefix:goal}, with the id of an execution
 * that configures it, if any, as {@code prefix:goal@id}
 */
record MavenCommand(String pom, List<String> modules, List<String> goals) {

	private static final Set<String> PHASES = Set.of("clean", "validate", "compile", "test", "package", "verify",
			"install");

	static MavenCommand of(String text) {
		List<String> modules = new ArrayList<>();
		List<String> goals = new ArrayList<>();
		String pom = "pom.xml";
		List<String> arguments = List.of(text.split(" "));
		for (Iterator<String> rest = arguments.listIterator(1); rest.hasNext();) {
			String argument = rest.next();
			if (argument.equals("-pl")) {
				modules.addAll(Arrays.asList(rest.next().split(",")));
			}
			else if (argument.equals("-f")) {
				pom = rest.next();
			}
			else if (!argument.startsWith("-")) {
				goals.add(argument);
			}
		}
		return new MavenCommand(pom, modules, goals);
	}

	void assertRunsIn(Path root) {
		String pom = read(root.resolve(this.pom));
		assertThat(this.modules).allSatisfy((module) -> {
			assertThat(pom).contains("<module>" + module + "</module>");
			assertThat(root.resolve(module).resolve("pom.xml")).exists();
		});
		assertThat(this.goals).isNotEmpty().allSatisfy((goal) -> {
			if (!PHASES.contains(goal)) {
				assertThat(goal).matches("[a-z-]+:[a-z-]+(@[a-z-]+)?");
				assertThat(goal).satisfiesAnyOf((plain) -> assertThat(plain).doesNotContain("@"),
						(configured) -> assertThat(this.modules)
							.anySatisfy((module) -> assertThat(read(root.resolve(module).resolve("pom.xml")))
								.contains("<id>" + configured.split("@")[1] + "</id>")));
				assertThat(pom).contains("<artifactId>" + goal.split(":")[0] + "-maven-plugin</artifactId>");
			}
		});
	}

	private static String read(Path file) {
		try {
			return Files.readString(file);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

}
