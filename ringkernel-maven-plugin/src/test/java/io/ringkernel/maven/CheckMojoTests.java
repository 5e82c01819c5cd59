package io.ringkernel.maven;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

import org.apache.maven.plugin.MojoFailureException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.Opcodes;

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
		assertThatExceptionOfType(MojoFailureException.class).isThrownBy(() -> check("listing").execute())
			.withMessageMatching(
					"Ring kernel 'caching' cannot run on a device: io\\.ringkernel\\.maven\\.example\\.Caching\\.handle, line \\d+: .+");
	}

	@Test
	void aHandlerThatCompilesIsNamed() throws Exception {
		check("caching", "listing").execute();
		assertThat(this.log.messages).contains("Ring kernel 'doubling' compiles for a device");
	}

	@Test
	void aHandlerThatTheBuildCannotMakeIsLeftOutWithAWarning() throws Exception {
		check("caching", "listing").execute();
		assertThat(this.log.messages).contains(
				"Ring kernel 'scaling' is not checked: io.ringkernel.maven.example.Scaling has no constructor without parameters.");
	}

	@Test
	void aHandlerWhoseConstructorFailsIsLeftOutWithAWarning() throws Exception {
		check("caching", "listing").execute();
		assertThat(this.log.messages).contains(
				"Ring kernel 'licensed' is not checked: io.ringkernel.maven.example.Licensed has a constructor that threw "
						+ "java.lang.IllegalStateException: There is no license.");
	}

	@Test
	void aRecordWithoutALayoutFailsTheBuildBesideTheOtherRefusals() {
		assertThatExceptionOfType(MojoFailureException.class).isThrownBy(() -> check().execute())
			.withMessageContaining("Ring kernel 'caching' cannot run on a device: ")
			.withMessageContaining("Ring kernel 'listing' cannot run on a device: Names.names is a List");
	}

	@Test
	void aBeanMethodThatNamesNoClassIsLeftOutWithAWarning() throws Exception {
		check("caching", "listing").execute();
		assertThat(this.log.messages).contains(
				"Ring kernel 'scoring' is not checked: io.ringkernel.RingKernelHandler is abstract.",
				"Ring kernel 'one-type' is not checked: io.ringkernel.maven.example.Scoring$Same is abstract.");
	}

	@Test
	void aHandlerHasTheRecordsOfItsGenericSuperclass() throws Exception {
		check("caching", "listing").execute();
		assertThat(this.log.messages).contains("Ring kernel 'tripling' compiles for a device");
	}

	@Test
	void aHandlerThatDoesNotSayItsRecordsFailsTheBuild(@TempDir Path classes) throws Exception {
		ClassWriter untyped = new ClassWriter(0);
		untyped.visit(Opcodes.V17, 0, "Untyped", null, "java/lang/Object", null);
		untyped.visitMethod(Opcodes.ACC_ABSTRACT, "untyped", "()Lio/ringkernel/RingKernelHandler;", null, null)
			.visitAnnotation("Lio/ringkernel/spring/RingKernel;", true)
			.visit("id", "untyped");
		Files.write(classes.resolve("Untyped.class"), untyped.toByteArray());
		CheckMojo check = check();
		check.classes = classes.toFile();
		assertThatExceptionOfType(MojoFailureException.class).isThrownBy(check::execute)
			.withMessageContaining("io.ringkernel.RingKernelHandler does not say which records it handles");
	}

	@Test
	void aHandlerWithAnImageIsNotCompiled() throws Exception {
		check("caching", "listing").execute();
		assertThat(this.log.messages).isNotEmpty().noneMatch((message) -> message.contains("halving"));
	}

	@Test
	void aProjectWithoutClassesHasNothingToCheck() throws Exception {
		CheckMojo check = check();
		check.classes = new File("target/no-classes");
		check.execute();
		assertThat(this.log.messages).isEmpty();
	}

}
