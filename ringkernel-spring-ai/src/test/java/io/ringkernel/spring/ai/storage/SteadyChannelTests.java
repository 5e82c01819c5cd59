package io.ringkernel.spring.ai.storage;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link SteadyChannel}: another thread, which was interrupted, has closed the
 * file.
 */
class SteadyChannelTests {

	private static final byte[] BYTES = { 1, 2, 3 };

	@TempDir
	private Path directory;

	/** The channels beneath each file, the last one being in use. */
	private final List<FileChannel> sources = new CopyOnWriteArrayList<>();

	private final List<FileChannel> targets = new CopyOnWriteArrayList<>();

	private SteadyChannel open(String name, List<FileChannel> opened) throws IOException {
		return new SteadyChannel(() -> {
			FileChannel channel = FileChannel.open(this.directory.resolve(name), StandardOpenOption.CREATE,
					StandardOpenOption.READ, StandardOpenOption.WRITE);
			opened.add(channel);
			return channel;
		});
	}

	@Test
	void readsOnIfTheFileWasClosed() throws IOException {
		try (SteadyChannel channel = open("file", this.sources)) {
			channel.write(ByteBuffer.wrap(BYTES), 0);
			this.sources.get(0).close();
			ByteBuffer read = ByteBuffer.allocate(BYTES.length);
			assertThat(channel.read(read, 0)).isEqualTo(BYTES.length);
			assertThat(read.array()).isEqualTo(BYTES);
		}
	}

	@ParameterizedTest
	@ValueSource(booleans = { true, false })
	void copiesOnIfOneOfTheFilesWasClosed(boolean isSource) throws IOException {
		try (SteadyChannel source = open("source", this.sources); SteadyChannel target = open("target", this.targets)) {
			source.write(ByteBuffer.wrap(BYTES), 0);
			(isSource ? this.sources : this.targets).get(0).close();
			assertThat(CompletableFuture.supplyAsync(() -> copy(source, target))).succeedsWithin(Duration.ofSeconds(30))
				.isEqualTo((long) BYTES.length);
			ByteBuffer read = ByteBuffer.allocate(BYTES.length);
			target.read(read, 0);
			assertThat(read.array()).isEqualTo(BYTES);
			assertThat(this.sources).hasSize(isSource ? 2 : 1);
			assertThat(this.targets).hasSize(isSource ? 1 : 2);
		}
	}

	private static long copy(SteadyChannel source, SteadyChannel target) {
		try {
			return source.copyTo(target, 0, BYTES.length);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

}
