package io.ringkernel.message;

import java.lang.ref.WeakReference;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

import io.ringkernel.message.Fixtures.Deep;
import io.ringkernel.message.buffer.MessageBuffer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

@Tag("every-platform")
class MessageLayoutSharingTests {

	private static final int THREADS = 8;

	@Test
	void manyThreadsShareALayoutAndABuffer() throws Exception {
		MessageLayout<Deep> layout = MessageLayout.of(Deep.class);
		int slot = MessageBuffer.aligned(layout.maxSize());
		MessageBuffer buffer = MessageBuffer.allocate(THREADS * slot);
		List<Callable<Integer>> tasks = new ArrayList<>();
		for (int i = 0; i < THREADS; i++) {
			int thread = i;
			tasks.add(() -> roundTrips(layout, buffer, thread * slot, new RandomMessages(thread)));
		}
		ExecutorService executor = Executors.newFixedThreadPool(THREADS);
		try {
			for (Future<Integer> trips : executor.invokeAll(tasks)) {
				assertThat(trips.get()).isEqualTo(3_000);
			}
		}
		finally {
			executor.shutdownNow();
		}
	}

	@Test
	void aLayoutDoesNotKeepTheClassLoaderOfItsRecord(@TempDir Path directory) throws Exception {
		WeakReference<ClassLoader> loader = useAndDrop(directory);
		await().until(() -> {
			System.gc();
			return loader.get() == null;
		});
	}

	private static WeakReference<ClassLoader> useAndDrop(Path directory) throws Exception {
		try (URLClassLoader loader = CompiledClasses.loader(directory, "dropped", "Message")) {
			Class<? extends Record> type = loader.loadClass("dropped.Message").asSubclass(Record.class);
			Record sample = (Record) type.getMethod("sample").invoke(null);
			for (int i = 0; i < 1_000; i++) {
				assertThat(RecordValues.of(roundTrip(type, sample))).isEqualTo(RecordValues.of(sample));
			}
			return new WeakReference<>(loader);
		}
	}

	@SuppressWarnings("unchecked")
	private static <T extends Record> T roundTrip(Class<T> type, Record sample) {
		MessageLayout<T> layout = MessageLayout.of(type);
		MessageBuffer buffer = MessageBuffer.allocate(layout.maxSize());
		layout.write((T) sample, buffer, 0);
		return layout.read(buffer, 0, layout.maxSize());
	}

	private static int roundTrips(MessageLayout<Deep> layout, MessageBuffer buffer, int offset,
			RandomMessages messages) {
		int trips = 0;
		while (trips < 3_000) {
			Deep message = messages.next(Deep.class);
			layout.write(message, buffer, offset);
			Deep read = layout.read(buffer, offset, layout.measure(message));
			assertThat(RecordValues.of(read)).isEqualTo(RecordValues.of(message));
			trips++;
		}
		return trips;
	}

}
