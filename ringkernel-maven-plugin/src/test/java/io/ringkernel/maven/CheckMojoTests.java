package io.ringkernel.maven;

import java.io.File;
import java.util.List;

import org.apache.maven.plugin.MojoFailureException;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class CheckMojoTests {

	private final RecordingLog log = new RecordingLog();

	private CheckMojo check(String... excludes) {
		CheckMojo check = new CheckMojo();
		check.classes = new File("target/test-classes");
		check.classPath = List.of("target/test-classes");
		check.excludes = List.of(excludes);
		check.setLog(this.log);
		return check;
	}

	@Test
	void aHandlerThatNoDeviceCanRunFailsTheBuildWithClassMethodAndLine() {
		assertThatExceptionOfType(MojoFailureException.class).isThrownBy(() -> check().execute())
			.withMessageMatching(
					"Ring kernel 'caching' cannot run on a device: io\\.ringkernel\\.maven\\.example\\.Caching\\.handle, line \\d+: .+");
	}

	@Test
	void aHandlerThatCompilesIsNamed() throws Exception {
		check("caching").execute();
		assertThat(this.log.messages).contains("Ring kernel 'doubling' compiles for a device");
	}

	@Test
	void aHandlerThatTheBuildCannotMakeIsLeftOutWithAWarning() throws Exception {
		check("caching").execute();
		assertThat(this.log.messages).contains(
				"Ring kernel 'scaling' is not checked: io.ringkernel.maven.example.Scaling has no constructor without parameters.");
	}

	@Test
	void aHandlerWithAnImageIsNotCompiled() throws Exception {
		check("caching").execute();
		assertThat(this.log.messages).hasSize(2).noneMatch((message) -> message.contains("halving"));
	}

	@Test
	void aProjectWithoutClassesHasNothingToCheck() throws Exception {
		CheckMojo check = check();
		check.classes = new File("target/no-classes");
		check.execute();
		assertThat(this.log.messages).isEmpty();
	}

}
