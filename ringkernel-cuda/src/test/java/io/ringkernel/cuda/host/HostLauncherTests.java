package io.ringkernel.cuda.host;

import java.lang.ref.WeakReference;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.time.Duration;

import io.ringkernel.cuda.host.remote.HostProcess;
import io.ringkernel.cuda.host.wire.HostFailureException;
import io.ringkernel.cuda.host.wire.HostFrame;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for {@link HostLauncher}.
 */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class HostLauncherTests {

	/** Less than the minute for which the JDK keeps a thread that has nothing to do. */
	private static final Duration LIMIT = Duration.ofSeconds(30);

	@Test
	void aHostOfAnotherVersionIsSaidToBeOne(@TempDir Path directory) {
		HostLauncher launcher = new HostLauncher(ReplacedHostMain.class.getName(),
				new HostOptions(directory, LIMIT, LIMIT, HostOptions.STUCK_AFTER));
		assertThatExceptionOfType(HostFailureException.class).isThrownBy(() -> launcher.launch((lost) -> {
		}))
			.withMessageContaining("it speaks version %d of the protocol and the application version %d",
					HostFrame.VERSION + 1, HostFrame.VERSION);
	}

	@Test
	void aHostThatHasEndedKeepsNoClassLoaderOfTheApplication(@TempDir Path directory) {
		HostLauncher launcher = new HostLauncher(DeviceHostMain.class.getName(),
				new HostOptions(directory, LIMIT, LIMIT, HostOptions.STUCK_AFTER));
		WeakReference<ClassLoader> loader = new WeakReference<>(
				new URLClassLoader(new URL[0], getClass().getClassLoader()));
		Thread thread = Thread.currentThread();
		ClassLoader before = thread.getContextClassLoader();
		thread.setContextClassLoader(loader.get());
		try {
			HostProcess host = launcher.launch((lost) -> {
			});
			assertThat(thread.getContextClassLoader()).isSameAs(loader.get()).isNotNull();
			host.close();
		}
		finally {
			thread.setContextClassLoader(before);
		}
		Awaitility.await().atMost(LIMIT).until(() -> {
			System.gc();
			return loader.refersTo(null);
		});
	}

}
