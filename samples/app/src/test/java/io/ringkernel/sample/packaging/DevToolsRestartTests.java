package io.ringkernel.sample.packaging;

import java.nio.file.Path;

import io.ringkernel.sampletest.JavaProcess;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The sample, restarted by DevTools.
 */
@Tag("every-platform")
class DevToolsRestartTests {

	/**
	 * What is softly referenced, as by caches of the JDK, would stay until memory is
	 * short.
	 */
	private static final String NO_SOFT_REFERENCES = "-XX:SoftRefLRUPolicyMSPerMB=0";

	@Test
	void restartsLeaveNoClassLoaderThreadProcessOrMemoryBehind(@TempDir Path directory) throws Exception {
		// Boot's hook is a thread that keeps the class loader in which it was registered.
		JavaProcess sample = JavaProcess.run(directory, NO_SOFT_REFERENCES, "-XX:TieredStopAtLevel=1", "-cp",
				System.getProperty("java.class.path"), RestartedSample.class.getName(),
				"--spring.main.web-application-type=none", "--spring.main.register-shutdown-hook=false",
				"--logging.register-shutdown-hook=false", "--ringkernel.isolation=process");
		assertThat(sample.exitCode()).as(sample.toString()).isZero();
		assertThat(sample.output()).contains(RestartedSample.RESTARTS + " restarts leave nothing behind");
	}

}
