package io.ringkernel.cuda.driver;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.LockSupport;

import org.jspecify.annotations.Nullable;

/**
 * The driver of this machine, which from some moment on does nothing while a kernel runs:
 * each call waits for the end of all kernels, as under WSL2.
 */
public final class BlockableDriver implements CudaDriver {

	private static final long LOOK_NANOS = 20_000;

	private final CudaDriver driver = new JCudaDriverCalls();

	private final List<CudaStream> streams = new CopyOnWriteArrayList<>();

	private volatile boolean blocked;

	/**
	 * Has calls wait for kernels, or no longer.
	 */
	public void block(boolean blocked) {
		this.blocked = blocked;
	}

	@Override
	public int initialize() {
		return this.driver.initialize();
	}

	@Override
	public int deviceCount() {
		return this.driver.deviceCount();
	}

	@Override
	public DeviceProperties properties(int ordinal) {
		return this.driver.properties(ordinal);
	}

	@Override
	public CudaContext open(int ordinal) {
		CudaContext context = this.driver.open(ordinal);
		return (CudaContext) Proxy.newProxyInstance(CudaContext.class.getClassLoader(),
				new Class<?>[] { CudaContext.class }, (proxy, method, arguments) -> call(context, method, arguments));
	}

	private @Nullable Object call(CudaContext context, Method method, @Nullable Object @Nullable [] arguments)
			throws Throwable {
		while (this.blocked && !this.streams.stream().allMatch(context::isDone)) {
			LockSupport.parkNanos(LOOK_NANOS);
		}
		if (arguments != null && arguments[0] instanceof CudaStream destroyed && method.getName().equals("destroy")) {
			this.streams.remove(destroyed);
		}
		try {
			Object result = method.invoke(context, arguments);
			if (result instanceof CudaStream created) {
				this.streams.add(created);
			}
			return result;
		}
		catch (InvocationTargetException ex) {
			throw ex.getCause();
		}
	}

}
