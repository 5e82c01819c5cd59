package io.ringkernel.cuda.host.wire;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.UserPrincipal;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;
import static org.junit.jupiter.api.Assumptions.abort;

/**
 * Tests for where other processes find a {@link RingFile}.
 */
class RingFileTests {

	private static final int LOOKS = 1_000;

	private final Path descriptors;

	private final Path file;

	RingFileTests(@TempDir Path directory) {
		this.descriptors = directory.resolve("fd");
		this.file = directory.resolve("a.ring");
	}

	@BeforeEach
	void open() throws Exception {
		Files.createFile(this.file);
		Files.createDirectory(this.descriptors);
		Files.createSymbolicLink(this.descriptors.resolve("7"), this.file);
	}

	@Test
	void anOpenFileIsFoundAtItsDescriptor() throws Exception {
		assertThat(RingFile.findable(this.file, this.descriptors))
			.isEqualTo(Path.of("/proc/%d/fd/7".formatted(ProcessHandle.current().pid())));
	}

	/** Only a user who may give a file away can show that. */
	@Test
	void theFileOfAJvmThatIsNotDumpableKeepsItsName() throws Exception {
		try {
			UserPrincipal other = this.descriptors.getFileSystem()
				.getUserPrincipalLookupService()
				.lookupPrincipalByName("nobody");
			Files.setOwner(this.descriptors, other);
		}
		catch (FileSystemException ex) {
			abort("The owner of a file cannot be changed here: " + ex);
		}
		assertThat(RingFile.findable(this.file, this.descriptors)).isEqualTo(this.file);
	}

	@Test
	void withoutDescriptorsAFileKeepsItsName() throws Exception {
		assertThat(RingFile.findable(this.file, this.descriptors.resolve("none"))).isEqualTo(this.file);
	}

	/** Sockets and files of other threads come and go while the descriptors are read. */
	@Test
	void aDescriptorThatAnotherThreadClosesIsPassedOver() throws Exception {
		Path ofThisProcess = Path.of("/proc/self/fd");
		assumeThat(ofThisProcess).isDirectory();
		AtomicBoolean done = new AtomicBoolean();
		CompletableFuture<Void> others = CompletableFuture.runAsync(() -> openAndClose(done));
		try {
			for (int i = 0; i < LOOKS; i++) {
				assertThat(RingFile.findable(this.file, ofThisProcess)).isEqualTo(this.file);
			}
		}
		finally {
			done.set(true);
		}
		assertThat(others).succeedsWithin(Duration.ofSeconds(30));
	}

	private void openAndClose(AtomicBoolean done) {
		Path other = this.descriptors.resolveSibling("other");
		try {
			while (!done.get()) {
				FileChannel.open(other, StandardOpenOption.CREATE, StandardOpenOption.WRITE).close();
			}
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

}
