package io.ringkernel.cuda;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.BufferPoolMXBean;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What this process holds.
 *
 * @param heapKiB what is reachable on the heap
 * @param bufferKiB direct and mapped buffers
 * @param threads threads that live
 * @param files open files
 */
record Footprint(long heapKiB, long bufferKiB, int threads, long files) {

	/** Classes are loaded and buffers grow once in a while. */
	private static final long HEAP_SLACK_KIB = 8 << 10;

	/** Less than the rings of one kernel. */
	private static final long BUFFER_SLACK_KIB = 4 << 10;

	/**
	 * A dispatcher adds threads for stages when it is held up, and they end when idle.
	 */
	private static final int SLACK = 16;

	static Footprint now() {
		System.gc();
		return new Footprint(ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed() >> 10,
				bufferBytes() >> 10, ManagementFactory.getThreadMXBean().getThreadCount(), openFiles());
	}

	private static long bufferBytes() {
		return ManagementFactory.getPlatformMXBeans(BufferPoolMXBean.class)
			.stream()
			.mapToLong(BufferPoolMXBean::getMemoryUsed)
			.sum();
	}

	private static long openFiles() {
		try (Stream<Path> files = Files.list(Path.of("/proc/self/fd"))) {
			return files.count();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	void verifyNoMoreThan(Footprint before) {
		assertThat(this.heapKiB).as("heap").isLessThan(before.heapKiB + HEAP_SLACK_KIB);
		assertThat(this.bufferKiB).as("buffers").isLessThan(before.bufferKiB + BUFFER_SLACK_KIB);
		assertThat(this.threads).as("threads").isLessThan(before.threads + SLACK);
		assertThat(this.files).as("files").isLessThan(before.files + SLACK);
	}

}
