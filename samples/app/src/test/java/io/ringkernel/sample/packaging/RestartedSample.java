package io.ringkernel.sample.packaging;

import java.lang.management.BufferPoolMXBean;
import java.lang.management.ManagementFactory;
import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

import io.ringkernel.sample.SampleApplication;
import org.assertj.core.api.Assertions;
import org.awaitility.Awaitility;

import org.springframework.boot.WebApplicationType;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.devtools.restart.Restarter;
import org.springframework.boot.devtools.restart.classloader.RestartClassLoader;

/**
 * The sample, restarted by DevTools again and again in a process of its own. It checks
 * itself, and ends with the status 0 if all is well.
 * <p>
 * What is started first is an empty application: Boot itself keeps the class loader of
 * the first for good, in its binder for example, and that is not to be taken for a leak
 * of the sample's, nor to hide one.
 */
public final class RestartedSample {

	static final int RESTARTS = 10;

	private static final Duration LONGEST_COLLECTION = Duration.ofSeconds(30);

	private RestartedSample() {
	}

	/**
	 * Run once by Java, and then in a class loader of its own by each restart.
	 * @param args arguments of the sample
	 */
	public static void main(String[] args) {
		if (!(RestartedSample.class.getClassLoader() instanceof RestartClassLoader)) {
			// Never returns: DevTools restarts it at once.
			new SpringApplicationBuilder(Empty.class).web(WebApplicationType.NONE).run(args);
		}
		try {
			startAndRestart(args);
		}
		catch (RuntimeException | AssertionError ex) {
			ex.printStackTrace();
			System.exit(1);
		}
	}

	private static void startAndRestart(String[] args) {
		List<WeakReference<ClassLoader>> loaders = kept("loaders", new ArrayList<>());
		loaders.add(new WeakReference<>(RestartedSample.class.getClassLoader()));
		if (loaders.size() == 1) {
			new SpringApplicationBuilder(Empty.class).web(WebApplicationType.NONE).run(args);
			Restarter.getInstance().restart();
			return;
		}
		new SpringApplicationBuilder(SampleApplication.class).run(args);
		List<String> threads = kept("threads", kernelThreads());
		long memory = kept("memory", memoryBytes());
		if (loaders.size() - 2 < RESTARTS) {
			Restarter.getInstance().restart();
			return;
		}
		Awaitility.await().atMost(LONGEST_COLLECTION).untilAsserted(() -> {
			System.gc();
			Assertions.assertThat(loaders.subList(1, RESTARTS + 1)).allMatch((loader) -> loader.refersTo(null));
		});
		Assertions.assertThat(kernelThreads()).isEqualTo(threads);
		Assertions.assertThat(ProcessHandle.current().children()).as("each start has asked a kernel host").isEmpty();
		// A leak of a single restart's rings is as much again.
		Assertions.assertThat(memoryBytes()).isLessThan(2 * memory);
		System.out.println(RESTARTS + " restarts leave nothing behind");
		System.exit(0);
	}

	/**
	 * What outlives restarts: of a type that is not loaded anew by them.
	 */
	@SuppressWarnings("unchecked")
	private static <T> T kept(String name, T first) {
		return (T) Restarter.getInstance().getOrAddAttribute(name, () -> first);
	}

	/**
	 * The threads of kernels, but for workers, which come and go with the load.
	 */
	private static List<String> kernelThreads() {
		return Thread.getAllStackTraces()
			.keySet()
			.stream()
			.map(Thread::getName)
			.filter((name) -> name.startsWith("ringkernel-") && !name.contains("-worker-"))
			// Ends soon after it has told of the last event.
			.filter((name) -> !name.equals("ringkernel-events"))
			.sorted()
			.toList();
	}

	/**
	 * Memory outside of the heap, in direct buffers and mapped files.
	 */
	private static long memoryBytes() {
		return ManagementFactory.getPlatformMXBeans(BufferPoolMXBean.class)
			.stream()
			.mapToLong(BufferPoolMXBean::getMemoryUsed)
			.sum();
	}

	/**
	 * An application of nothing.
	 */
	private static final class Empty {

	}

}
