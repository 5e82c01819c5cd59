package io.ringkernel.cuda.driver;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.LockSupport;

import org.jspecify.annotations.Nullable;

/**
 * The driver of this machine, which from some moment on does nothing while a kernel runs:
 * each call waits for the end of all kernels, as under WSL2. Or whose kernels no longer
 * see mapped memory: one that would work on it ends without having done anything.
 */
public final class BlockableDriver implements CudaDriver {

	private static final long LOOK_NANOS = 20_000;

	private final CudaDriver driver = new JCudaDriverCalls(NativePlatform.current());

	private final List<CudaStream> streams = new CopyOnWriteArrayList<>();

	private final Set<Long> mapped = ConcurrentHashMap.newKeySet();

	/** The memory that a prepared launch works on. */
	private final Map<Object, Long> prepared = new ConcurrentHashMap<>();

	private volatile boolean blocked;

	private volatile boolean hidden;

	/**
	 * Has calls wait for kernels, or no longer.
	 */
	public void block(boolean blocked) {
		this.blocked = blocked;
	}

	/**
	 * Has kernels see mapped memory no longer, or again.
	 */
	public void hideMappedMemory(boolean hidden) {
		this.hidden = hidden;
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
		if (this.hidden && method.getName().equals("launch") && this.mapped.contains(memory(arguments))) {
			return null;
		}
		try {
			Object result = method.invoke(context, arguments);
			note(result, method, arguments);
			return result;
		}
		catch (InvocationTargetException ex) {
			throw ex.getCause();
		}
	}

	/**
	 * Where the memory lies that a launch works on, which is the first word of its
	 * parameter.
	 */
	private long memory(@Nullable Object @Nullable [] arguments) {
		for (Object argument : Objects.requireNonNull(arguments)) {
			if (argument instanceof ByteBuffer parameter) {
				return parameter.order(ByteOrder.LITTLE_ENDIAN).getLong(0);
			}
		}
		return this.prepared.getOrDefault(Objects.requireNonNull(arguments[0]), 0L);
	}

	private void note(@Nullable Object result, Method method, @Nullable Object @Nullable [] arguments) {
		if (result instanceof CudaStream created) {
			this.streams.add(created);
		}
		else if (result instanceof CudaGraph graph) {
			this.prepared.put(graph, memory(arguments));
		}
		else if (result instanceof DevicePointer address && method.getName().equals("register")) {
			this.mapped.add(address.address());
		}
	}

}
