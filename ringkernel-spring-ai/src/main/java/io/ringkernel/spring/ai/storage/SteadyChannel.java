package io.ringkernel.spring.ai.storage;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.MappedByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;

import org.h2.store.fs.FileBase;
import org.jspecify.annotations.Nullable;

/**
 * A channel that stays open if a thread that uses it is interrupted. Java closes a
 * channel then, for all threads: this one opens the file again, and does again what came
 * to nothing. The thread stays interrupted.
 */
@SuppressWarnings("UnsynchronizedOverridesSynchronized") // H2 moves a position meanwhile.
final class SteadyChannel extends FileBase {

	private final Opener opener;

	private volatile FileChannel channel;

	private @Nullable FileLock lock;

	SteadyChannel(Opener opener) throws IOException {
		this.opener = opener;
		this.channel = opener.open();
	}

	private <R> R use(Use<R> use) throws IOException {
		boolean isInterrupted = Thread.interrupted();
		try {
			while (true) {
				FileChannel used = this.channel;
				try {
					return use.of(used);
				}
				catch (ClosedChannelException ex) {
					if (used.isOpen()) {
						// Another channel is closed, which its own use() opens again.
						throw ex;
					}
					isInterrupted |= Thread.interrupted();
					reopen(used, ex);
				}
			}
		}
		finally {
			if (isInterrupted) {
				Thread.currentThread().interrupt();
			}
		}
	}

	private synchronized void reopen(FileChannel closed, ClosedChannelException cause) throws IOException {
		if (!isOpen()) {
			throw cause;
		}
		if (!this.channel.equals(closed)) {
			return;
		}
		// Waits for the thread that closes it, which gives up its lock.
		closed.close();
		FileChannel opened = this.opener.open();
		this.channel = opened;
		FileLock before = this.lock;
		if (before != null) {
			this.lock = opened.tryLock(before.position(), before.size(), before.isShared());
			if (this.lock == null) {
				close();
				throw new IOException("Another process has locked the file since a thread was interrupted.", cause);
			}
		}
	}

	@Override
	public int read(ByteBuffer target, long position) throws IOException {
		int from = target.position();
		return use((used) -> used.read(target.position(from), position));
	}

	@Override
	public int write(ByteBuffer source, long position) throws IOException {
		int from = source.position();
		return use((used) -> used.write(source.position(from), position));
	}

	@Override
	public MappedByteBuffer map(MapMode mode, long position, long size) throws IOException {
		return use((used) -> used.map(mode, position, size));
	}

	/** Copies bytes to the same place of another file, and counts them. */
	long copyTo(SteadyChannel target, long position, long count) throws IOException {
		return use((used) -> target.use((other) -> used.transferTo(position, count, other.position(position))));
	}

	@Override
	public long size() throws IOException {
		return use(FileChannel::size);
	}

	@Override
	public FileChannel truncate(long size) throws IOException {
		use((used) -> used.truncate(size));
		return this;
	}

	@Override
	public void force(boolean metadata) throws IOException {
		use((used) -> {
			used.force(metadata);
			return used;
		});
	}

	@Override
	public synchronized @Nullable FileLock tryLock(long position, long size, boolean shared) throws IOException {
		this.lock = use((used) -> used.tryLock(position, size, shared));
		return (this.lock != null) ? new Lock(position, size, shared) : null;
	}

	@Override
	protected synchronized void implCloseChannel() throws IOException {
		this.channel.close();
	}

	/** The position of a channel would be lost with it. */
	@Override
	public int read(ByteBuffer target) {
		throw new UnsupportedOperationException();
	}

	@Override
	public int write(ByteBuffer source) {
		throw new UnsupportedOperationException();
	}

	@Override
	public long position() {
		throw new UnsupportedOperationException();
	}

	@Override
	public FileChannel position(long position) {
		throw new UnsupportedOperationException();
	}

	/** Opens the file, as often as it has to. */
	@FunctionalInterface
	interface Opener {

		FileChannel open() throws IOException;

	}

	@FunctionalInterface
	private interface Use<R> {

		R of(FileChannel channel) throws IOException;

	}

	/** That of the channel that is used now. It ends with it. */
	private final class Lock extends FileLock {

		Lock(long position, long size, boolean shared) {
			super(SteadyChannel.this, position, size, shared);
		}

		@Override
		public boolean isValid() {
			return isOpen();
		}

		@Override
		public void release() {
			// With the channel, which is closed next.
		}

	}

}
