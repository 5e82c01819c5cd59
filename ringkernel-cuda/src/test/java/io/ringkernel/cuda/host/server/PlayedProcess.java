package io.ringkernel.cuda.host.server;

import java.io.InputStream;
import java.io.OutputStream;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A process that is a part of this one, and ends when it is told to.
 */
public final class PlayedProcess extends Process {

	private static final AtomicLong PIDS = new AtomicLong(1L << 40);

	private static final int KILLED = 137;

	private final long pid = PIDS.incrementAndGet();

	private final CountDownLatch ended = new CountDownLatch(1);

	private final Runnable onExit;

	private int status;

	/**
	 * Creates a process that runs.
	 * @param onExit what takes from it what it has open
	 */
	public PlayedProcess(Runnable onExit) {
		this.onExit = onExit;
	}

	public synchronized void exit(int with) {
		if (isAlive()) {
			this.status = with;
			this.onExit.run();
			this.ended.countDown();
		}
	}

	@Override
	public long pid() {
		return this.pid;
	}

	@Override
	public boolean isAlive() {
		return this.ended.getCount() > 0;
	}

	@Override
	public synchronized int exitValue() {
		if (isAlive()) {
			throw new IllegalThreadStateException("it runs");
		}
		return this.status;
	}

	@Override
	public int waitFor() throws InterruptedException {
		this.ended.await();
		return exitValue();
	}

	@Override
	public boolean waitFor(long timeout, TimeUnit unit) throws InterruptedException {
		return this.ended.await(timeout, unit);
	}

	@Override
	public void destroy() {
		exit(KILLED);
	}

	@Override
	public Process destroyForcibly() {
		exit(KILLED);
		return this;
	}

	@Override
	public InputStream getInputStream() {
		return InputStream.nullInputStream();
	}

	@Override
	public InputStream getErrorStream() {
		return InputStream.nullInputStream();
	}

	@Override
	public OutputStream getOutputStream() {
		return OutputStream.nullOutputStream();
	}

}
