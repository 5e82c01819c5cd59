package io.ringkernel.cuda.host;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.jar.Attributes;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A kernel host is a client of the driver, and of no service beside it.
 */
class HostCommandTests {

	@TempDir
	private Path directory;

	@Test
	void theHostLooksForMpsInItsOwnDirectory() {
		ProcessBuilder host = HostCommand.of("Main", this.directory.resolve("socket"));
		assertThat(host.environment()).containsEntry("CUDA_MPS_PIPE_DIRECTORY", this.directory.toString())
			.doesNotContainKeys("JAVA_TOOL_OPTIONS", "JDK_JAVA_OPTIONS", "_JAVA_OPTIONS");
	}

	@Test
	void theLoaderOfAnExecutableJarHasThePathOfTheApplication() throws IOException {
		assertThat(loaderOptions("BOOT-INF/classes/")).containsExactly("-Dloader.main=Main");
		System.setProperty("loader.path", "plugins/");
		try {
			assertThat(loaderOptions("BOOT-INF/classes/")).containsExactly("-Dloader.main=Main",
					"-Dloader.path=plugins/");
			assertThat(loaderOptions("WEB-INF/classes/")).containsExactly("-Dloader.main=Main",
					"-Dloader.path=WEB-INF/classes,WEB-INF/lib-provided,WEB-INF/lib,plugins/");
		}
		finally {
			System.clearProperty("loader.path");
		}
	}

	private List<String> loaderOptions(String classes) throws IOException {
		Manifest manifest = new Manifest();
		manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
		manifest.getMainAttributes().putValue("Spring-Boot-Classes", classes);
		Path archive = this.directory.resolve("application");
		new JarOutputStream(Files.newOutputStream(archive), manifest).close();
		return HostCommand.of(archive.toString(), "Main", this.directory.resolve("socket"))
			.command()
			.stream()
			.filter((argument) -> argument.startsWith("-Dloader."))
			.toList();
	}

	@Test
	void mpsIsSeenByItsControlDaemon() throws Exception {
		Map<String, String> environment = Map.of("CUDA_MPS_PIPE_DIRECTORY", this.directory.toString());
		assertThat(HostCommand.isServedByMps(environment)).isFalse();
		Files.createFile(this.directory.resolve("control"));
		assertThat(HostCommand.isServedByMps(environment)).isTrue();
	}

}
