package io.ringkernel.spring.ai.storage;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicLong;

import org.h2.store.fs.FileBase;
import org.h2.store.fs.FilePath;
import org.h2.store.fs.FilePathWrapper;

/**
 * A disk that takes a number of bytes and is full then: MVStore writes to it if the name
 * of a file begins with its scheme.
 */
public final class FullDisk extends FilePathWrapper {

	private static final String SCHEME = "fulldisk";

	private static final AtomicLong LEFT = new AtomicLong(Long.MAX_VALUE);

	static {
		FilePath.register(new FullDisk());
	}

	/**
	 * The name of a file on this disk, which has room from now on.
	 */
	static String name(Path file) {
		leave(Long.MAX_VALUE);
		return SCHEME + ":" + file;
	}

	static void leave(long bytes) {
		LEFT.set(bytes);
	}

	@Override
	public String getScheme() {
		return SCHEME;
	}

	@Override
	public FileChannel open(String mode) throws IOException {
		return new Limited(super.open(mode));
	}

	private static final class Limited extends FileBase {

		private final FileChannel channel;

		Limited(FileChannel channel) {
			this.channel = channel;
		}

		private ByteBuffer fitting(ByteBuffer source) throws IOException {
			int taken = (int) Math.min(source.remaining(), LEFT.get());
			if (taken == 0 && source.hasRemaining()) {
				throw new IOException("No space left on device");
			}
			LEFT.addAndGet(-taken);
			ByteBuffer part = source.slice(source.position(), taken);
			source.position(source.position() + taken);
			return part;
		}

		@Override
		public int write(ByteBuffer source) throws IOException {
			return this.channel.write(fitting(source));
		}

		@Override
		public synchronized int write(ByteBuffer source, long position) throws IOException {
			return this.channel.write(fitting(source), position);
		}

		@Override
		public int read(ByteBuffer target) throws IOException {
			return this.channel.read(target);
		}

		@Override
		public synchronized int read(ByteBuffer target, long position) throws IOException {
			return this.channel.read(target, position);
		}

		@Override
		public long position() throws IOException {
			return this.channel.position();
		}

		@Override
		public FileChannel position(long position) throws IOException {
			this.channel.position(position);
			return this;
		}

		@Override
		public long size() throws IOException {
			return this.channel.size();
		}

		@Override
		public FileChannel truncate(long size) throws IOException {
			this.channel.truncate(size);
			return this;
		}

		@Override
		public void force(boolean metadata) throws IOException {
			this.channel.force(metadata);
		}

		@Override
		public FileLock tryLock(long position, long size, boolean shared) throws IOException {
			return this.channel.tryLock(position, size, shared);
		}

		@Override
		protected void implCloseChannel() throws IOException {
			this.channel.close();
		}

	}

}
