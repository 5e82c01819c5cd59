package io.ringkernel.spring.ai.search;

import java.lang.reflect.Constructor;
import java.util.List;
import java.util.function.Supplier;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Whether the Vector API is quicker than plain loops on this JVM. Classes that use it are
 * compiled apart, with the module {@code jdk.incubator.vector}, and known by their names
 * alone.
 *
 * @since 0.2.0
 */
public final class VectorApi {

	private static final String MODULE = "jdk.incubator.vector";

	/**
	 * What {@code java.vm.info} says if the Vector API allocates an object for each
	 * operation, and is slower than any loop.
	 */
	private static final List<String> NO_OPTIMIZING_COMPILER = List.of("emulated-client", "interpreted mode");

	/** Narrower registers hold fewer floats than plain loops add to at once. */
	private static final int LEAST_BITS = 256;

	private static final boolean QUICKER = isQuicker();

	private VectorApi() {
	}

	/**
	 * Creates what this JVM computes most quickly with.
	 * @param <T> the type of both implementations
	 * @param type the type of both implementations
	 * @param plain creates the one in plain loops
	 * @param vectorized the name of the class that uses the Vector API
	 * @return one of both
	 */
	public static <T> T quickest(Class<T> type, Supplier<? extends T> plain, String vectorized) {
		if (!QUICKER) {
			return plain.get();
		}
		try {
			Constructor<? extends T> constructor = Class.forName(vectorized).asSubclass(type).getDeclaredConstructor();
			// Of another package, which alone knows the class.
			constructor.setAccessible(true);
			return constructor.newInstance();
		}
		catch (ReflectiveOperationException ex) {
			throw new IllegalStateException("The class that uses the Vector API is not in the jar.", ex);
		}
	}

	private static boolean isQuicker() {
		Logger logger = LoggerFactory.getLogger(VectorApi.class);
		if (ModuleLayer.boot().findModule(MODULE).isEmpty()) {
			logger.info("The CPU computes with vectors in plain loops. "
					+ "Start the JVM with --add-modules {} to use the Vector API.", MODULE);
			return false;
		}
		String compiler = System.getProperty("java.vm.info", "");
		if (NO_OPTIMIZING_COMPILER.stream().anyMatch(compiler::contains)) {
			logger
				.info("The CPU computes with vectors in plain loops, because this JVM ({}) has no optimizing compiler. "
						+ "Remove -XX:TieredStopAtLevel or -Xint to use the Vector API.", compiler);
			return false;
		}
		int bits = registerBits();
		if (bits < LEAST_BITS) {
			logger.info("The CPU computes with vectors in plain loops, because a register of it has {} of {} bits.",
					bits, LEAST_BITS);
			return false;
		}
		logger.info("The CPU computes with vectors by the Vector API.");
		return true;
	}

	/** By its name, because this is compiled without the module. */
	private static int registerBits() {
		try {
			Class<?> shape = Class.forName(MODULE + ".VectorShape");
			return (int) shape.getMethod("vectorBitSize").invoke(shape.getMethod("preferredShape").invoke(null));
		}
		catch (ReflectiveOperationException ex) {
			throw new IllegalStateException("The module %s has no preferred shape.".formatted(MODULE), ex);
		}
	}

}
