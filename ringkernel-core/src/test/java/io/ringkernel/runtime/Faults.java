package io.ringkernel.runtime;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

/**
 * Throws once, at one call of what stands for a platform. It counts the calls of each
 * method, so that a first run tells at which calls the next ones may throw.
 */
final class Faults {

	/**
	 * Of a method that is called all the time, so many calls are enough: the first ones
	 * come while something changes.
	 */
	private static final int MOST_CALLS = 6;

	private static final Set<String> MAKING = Set.of("Backend.allocate", "Backend.load");

	private final Map<String, AtomicInteger> calls = new ConcurrentHashMap<>();

	private final @Nullable Point point;

	private volatile boolean thrown;

	/**
	 * Creates it.
	 * @param point where it throws; {@code null} if nowhere
	 */
	Faults(@Nullable Point point) {
		this.point = point;
	}

	/**
	 * The same object, whose methods throw where they are to.
	 * @param <T> its type
	 * @param type the interface that it is called through
	 */
	<T> T on(Class<T> type, T target) {
		return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] { type },
				(proxy, method, arguments) -> (method.getDeclaringClass() == Object.class)
						? identity(proxy, method, arguments)
						: call(type.getSimpleName() + "." + method.getName(), target, method, arguments)));
	}

	private static Object identity(Object proxy, Method method, Object @Nullable [] arguments) {
		return switch (method.getName()) {
			case "equals" -> arguments != null && proxy == arguments[0];
			case "hashCode" -> System.identityHashCode(proxy);
			default -> "a call of " + method.getDeclaringClass();
		};
	}

	private @Nullable Object call(String name, Object target, Method method, Object @Nullable [] arguments)
			throws Throwable {
		int call = this.calls.computeIfAbsent(name, (unknown) -> new AtomicInteger()).incrementAndGet();
		boolean isHere = this.point != null && this.point.call() == call && this.point.method().equals(name);
		if (isHere && this.point.when() == When.INSTEAD) {
			throw fault();
		}
		Object result;
		try {
			result = method.invoke(target, arguments);
		}
		catch (InvocationTargetException ex) {
			throw ex.getCause();
		}
		if (isHere) {
			throw fault();
		}
		return result;
	}

	private Throwable fault() {
		this.thrown = true;
		return this.point.fault().fillInStackTrace();
	}

	@Override
	public String toString() {
		return String.valueOf(this.point);
	}

	boolean isThrown() {
		return this.thrown;
	}

	/**
	 * Whether it throws in place of what a method does.
	 */
	boolean isOf(String method) {
		return this.point != null && this.point.method().equals(method) && this.point.when() == When.INSTEAD;
	}

	/**
	 * Whether something says that a fault was thrown here: it is that or tells of it.
	 */
	boolean isNamedBy(Throwable ex) {
		Throwable cause = ex;
		while (cause != null && (this.point == null || cause != this.point.fault())) {
			cause = cause.getCause();
		}
		return cause != null;
	}

	/**
	 * Every call so far, as a point where the next run may throw.
	 */
	List<Point> points() {
		List<Point> points = new ArrayList<>();
		this.calls.entrySet().stream().sorted(Map.Entry.comparingByKey()).forEach((counted) -> {
			for (int call = 1; call <= Math.min(counted.getValue().get(), MOST_CALLS); call++) {
				points.addAll(at(counted.getKey(), call));
			}
		});
		return points;
	}

	/** What is made is the caller's only once it is returned. */
	private static List<Point> at(String method, int call) {
		return Stream.of(When.values())
			.filter((when) -> when == When.INSTEAD || !MAKING.contains(method))
			.flatMap((when) -> Stream.of(new Point(method, call, when, new IllegalStateException("injected")),
					new Point(method, call, when, new OutOfMemoryError("injected"))))
			.toList();
	}

	/** When a call throws: in place of what it does, or after it has done that. */
	enum When {

		INSTEAD, BEHIND

	}

	/**
	 * A call and what it throws.
	 */
	record Point(String method, int call, When when, Throwable fault) {

		@Override
		public String toString() {
			return "%s %s call %d of %s".formatted(this.fault.getClass().getSimpleName(),
					this.when.name().toLowerCase(Locale.ROOT), this.call, this.method);
		}

	}

}
