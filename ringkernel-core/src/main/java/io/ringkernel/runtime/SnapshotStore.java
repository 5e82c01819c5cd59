package io.ringkernel.runtime;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;

import io.ringkernel.exception.RequestInterruptedException;
import io.ringkernel.exception.SnapshotException;
import io.ringkernel.state.KernelMemory;
import io.ringkernel.state.SnapshotFile;
import io.ringkernel.state.SnapshotWriter;
import io.ringkernel.state.StateField;
import org.jspecify.annotations.Nullable;

/**
 * The file that the state of a kernel is saved to. It holds the latest snapshot, and is
 * replaced as a whole.
 */
final class SnapshotStore {

	private final String kernelId;

	private final Path file;

	/** How long to wait for the snapshot before. */
	private final Duration patience;

	/**
	 * Held from the first byte of a snapshot until it is in its place. Taken while the
	 * kernel is at rest, and kept longer: the state of the next rest is not written
	 * before that of this one has its name. Who takes it may hold the kernel, so it waits
	 * for no longer than a stop may take.
	 */
	private final ReentrantLock saving = new ReentrantLock();

	SnapshotStore(String kernelId, Path directory, Duration patience) {
		this.kernelId = kernelId;
		this.file = directory.resolve(kernelId + ".snapshot");
		this.patience = patience;
	}

	boolean isSaved() {
		return Files.exists(this.file);
	}

	/** Restores the snapshot that was saved last, and returns when that was. */
	Instant restore(KernelMemory memory) {
		Instant saved = modified();
		try (SnapshotFile snapshot = SnapshotFile.open(this.kernelId, this.file)) {
			snapshot.restore(memory);
		}
		return saved;
	}

	private Instant modified() {
		try {
			return Files.getLastModifiedTime(this.file).toInstant();
		}
		catch (IOException ex) {
			throw new SnapshotException(this.kernelId, "'%s' cannot be read (%s)".formatted(this.file, ex),
					"Check that it may be read.", ex);
		}
	}

	/** Gives a snapshot another name, so that the next one does not replace it. */
	Path setAside() {
		Path aside = this.file.resolveSibling(this.file.getFileName() + ".unread");
		try {
			return Files.move(this.file, aside, StandardCopyOption.REPLACE_EXISTING);
		}
		catch (IOException ex) {
			throw new SnapshotException(this.kernelId,
					"'%s' can neither be read nor renamed (%s)".formatted(this.file, ex),
					"Check that its directory may be written to.", ex);
		}
	}

	/** Saves the state by a callback, which is called while the kernel is at rest. */
	void save(List<StateField> fields, Consumer<Consumer<KernelMemory>> access) {
		try (Draft draft = new Draft(fields)) {
			access.accept(draft::write);
			draft.commit();
		}
	}

	private final class Draft implements AutoCloseable {

		private final List<StateField> fields;

		private @Nullable SnapshotWriter snapshot;

		private Draft(List<StateField> fields) {
			this.fields = fields;
		}

		private void write(KernelMemory memory) {
			if (!memory.fields().equals(this.fields)) {
				throw new SnapshotException(SnapshotStore.this.kernelId, "the loop that stands in keeps other state",
						"It is saved again once the kernel is back.", null);
			}
			awaitOtherDraft();
			createDirectory();
			SnapshotWriter begun = new SnapshotWriter(SnapshotStore.this.kernelId, SnapshotStore.this.file);
			this.snapshot = begun;
			begun.write(memory);
		}

		private void commit() {
			SnapshotWriter written = this.snapshot;
			if (written != null) {
				written.commit();
			}
		}

		@Override
		public void close() {
			try {
				if (this.snapshot != null) {
					this.snapshot.close();
				}
			}
			finally {
				if (SnapshotStore.this.saving.isHeldByCurrentThread()) {
					SnapshotStore.this.saving.unlock();
				}
			}
		}

	}

	private void awaitOtherDraft() {
		try {
			if (!this.saving.tryLock(this.patience.toNanos(), TimeUnit.NANOSECONDS)) {
				throw new SnapshotException(this.kernelId,
						"the one before was still being written after a stop-timeout of %s".formatted(this.patience),
						"Set snapshot-directory to a faster disk, or stop-timeout to more.", null);
			}
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new RequestInterruptedException(this.kernelId);
		}
	}

	private void createDirectory() {
		try {
			Files.createDirectories(this.file.toAbsolutePath().getParent());
		}
		catch (IOException ex) {
			throw new SnapshotException(this.kernelId, "its directory cannot be created (%s)".formatted(ex),
					"Set snapshot-directory to one that may be written to.", ex);
		}
	}

}
