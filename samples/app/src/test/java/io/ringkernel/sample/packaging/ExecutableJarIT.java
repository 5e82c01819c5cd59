package io.ringkernel.sample.packaging;

import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

import io.ringkernel.backend.BackendProvider;
import io.ringkernel.sample.SampleApplication;
import io.ringkernel.sampletest.JavaProcess;
import io.ringkernel.sampletest.PlayedDevice;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.JRE;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The executable jar, as it is deployed.
 */
@Tag("every-platform")
class ExecutableJarIT {

	private static final String JAR = Path.of("target", "sample-app.jar").toAbsolutePath().toString();

	private static final String EXIT = "-Dspring.context.exit=onRefresh";

	private static final String AOT = "-Dspring.aot.enabled=true";

	private static final String ANY_PORT = "--server.port=0";

	@TempDir
	private Path directory;

	private JavaProcess java(String... arguments) throws Exception {
		return JavaProcess.run(this.directory, arguments);
	}

	@Test
	void startsAheadOfTimeProcessed() throws Exception {
		JavaProcess sample = java(EXIT, AOT, "-jar", JAR, ANY_PORT);
		assertThat(sample.exitCode()).as(sample.toString()).isZero();
		assertThat(sample.output()).contains("Starting AOT-processed SampleApplication",
				"Ring kernels run on backend '");
	}

	/** Without a device, the host says so, and is not kept. */
	@Test
	void startsAKernelHostFromItself() throws Exception {
		JavaProcess sample = java(EXIT, "-jar", JAR, ANY_PORT, "--ringkernel.isolation=process");
		assertThat(sample.exitCode()).as(sample.toString()).isZero();
		assertThat(sample.output()).containsPattern("The kernel host is process \\d+")
			.contains("Ring kernels run on backend '")
			.doesNotContain("the kernel host is not to be had");
	}

	@Test
	void processedWithoutADeviceItTakesTheOneThatIsThereWhenItRuns() throws Exception {
		assertThat(java("-Djarmode=tools", "-jar", JAR, "extract", "--destination", "extracted").exitCode()).isZero();
		String classPath = this.directory.resolve("extracted").resolve("sample-app.jar")
				+ System.getProperty("path.separator") + playedDevice();
		JavaProcess sample = java(EXIT, AOT, "-cp", classPath, SampleApplication.class.getName(), ANY_PORT,
				"--ringkernel.backend=auto");
		assertThat(sample.exitCode()).as(sample.toString()).isZero();
		assertThat(sample.output()).contains("Starting AOT-processed SampleApplication")
			.containsPattern("Ring kernels run on backend 'cuda', .*a device is played");
	}

	/**
	 * A directory with the played device as a service.
	 */
	private Path playedDevice() throws Exception {
		Path device = this.directory.resolve("device");
		String resource = PlayedDevice.class.getName().replace('.', '/') + ".class";
		Path services = device.resolve("META-INF").resolve("services");
		Files.createDirectories(services);
		Files.writeString(services.resolve(BackendProvider.class.getName()), PlayedDevice.class.getName());
		Files.createDirectories(device.resolve(resource).getParent());
		try (InputStream source = PlayedDevice.class.getResourceAsStream("/" + resource)) {
			assertThat(source).isNotNull();
			Files.copy(source, device.resolve(resource));
		}
		return device;
	}

	@Test
	@EnabledForJreRange(min = JRE.JAVA_24, disabledReason = "JDK 24 is the first that warns")
	void accessesNativeLibrariesWithoutAWarning() throws Exception {
		JavaProcess sample = java(EXIT, "-jar", JAR, ANY_PORT);
		assertThat(sample.exitCode()).as(sample.toString()).isZero();
		assertThat(warnings(sample)).isEmpty();
		JavaProcess withoutManifest = java(EXIT, "-cp", JAR, "org.springframework.boot.loader.launch.JarLauncher",
				ANY_PORT);
		assertThat(warnings(withoutManifest)).anyMatch((line) -> line.contains("restricted method"));
	}

	private static Stream<String> warnings(JavaProcess process) {
		return process.errors().lines().filter((line) -> line.startsWith("WARNING:"));
	}

	@Test
	@EnabledForJreRange(min = JRE.JAVA_25, disabledReason = "JDK 25 is the first that trains a cache in one step")
	void trainsAnAotCacheAndStartsWithIt() throws Exception {
		Path cache = this.directory.resolve("sample.aot");
		JavaProcess training = java("-XX:AOTCacheOutput=" + cache, EXIT, AOT, "-jar", JAR, ANY_PORT);
		assertThat(training.exitCode()).as(training.toString()).isZero();
		assertThat(cache).isNotEmptyFile();
		JavaProcess trained = java("-XX:AOTCache=" + cache, "-XX:AOTMode=on", EXIT, AOT, "-jar", JAR, ANY_PORT);
		assertThat(trained.exitCode()).as(trained.toString()).isZero();
		assertThat(trained.output()).contains("Ring kernels run on backend '");
	}

}
