package io.ringkernel.cpu;

import java.security.AccessController;
import java.security.PrivilegedAction;
import java.util.concurrent.ThreadFactory;

import org.jspecify.annotations.Nullable;

/**
 * Makes the threads that run handlers. The caller that happens to need a thread leaves
 * nothing on it: no inheritable thread-locals, class loader, priority or access-control
 * context.
 */
final class HandlerThreads implements ThreadFactory {

	private final ClassLoader loader;

	HandlerThreads(@Nullable ClassLoader loader) {
		this.loader = (loader != null) ? loader : ClassLoader.getSystemClassLoader();
	}

	@Override
	// JDK 17 keeps a caller's classes with its context; and its priority is reset here.
	@SuppressWarnings({ "removal", "ThreadPriorityCheck" })
	public Thread newThread(Runnable task) {
		return AccessController.doPrivileged((PrivilegedAction<Thread>) () -> {
			Thread thread = new Thread(null, task, "ringkernel", 0, false);
			thread.setContextClassLoader(this.loader);
			thread.setDaemon(true);
			thread.setPriority(Thread.NORM_PRIORITY);
			return thread;
		});
	}

}
