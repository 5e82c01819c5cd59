package io.ringkernel.cuda.host;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

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
	void mpsIsSeenByItsControlDaemon() throws Exception {
		Map<String, String> environment = Map.of("CUDA_MPS_PIPE_DIRECTORY", this.directory.toString());
		assertThat(HostCommand.isServedByMps(environment)).isFalse();
		Files.createFile(this.directory.resolve("control"));
		assertThat(HostCommand.isServedByMps(environment)).isTrue();
	}

}
