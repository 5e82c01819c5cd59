package io.ringkernel.cuda;

import java.io.File;
import java.lang.ref.WeakReference;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * A server that redeploys an application drops its class loader.
 */
@Timeout(120)
class RedeploymentTests {

	@Test
	void anApplicationOnTheCpuLeavesNothingThatKeepsItsClassLoader() throws Exception {
		WeakReference<ClassLoader> loader = new WeakReference<>(deploy());
		Awaitility.await().atMost(Duration.ofSeconds(60)).until(() -> {
			System.gc();
			return loader.refersTo(null);
		});
	}

	private static ClassLoader deploy() throws Exception {
		List<URL> classPath = new ArrayList<>();
		for (String entry : System.getProperty("java.class.path").split(File.pathSeparator)) {
			classPath.add(Path.of(entry).toUri().toURL());
		}
		try (URLClassLoader application = new URLClassLoader(classPath.toArray(URL[]::new),
				ClassLoader.getPlatformClassLoader())) {
			Thread thread = Thread.currentThread();
			ClassLoader before = thread.getContextClassLoader();
			thread.setContextClassLoader(application);
			try {
				((Runnable) application.loadClass(RedeployedApplication.class.getName())
					.getDeclaredConstructor()
					.newInstance()).run();
			}
			finally {
				thread.setContextClassLoader(before);
			}
			return application;
		}
	}

}
