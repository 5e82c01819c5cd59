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

	private static final Logger LOGGER = LoggerFactory.getLogger(VectorApi.class);

	private static final String MODULE = "jdk.incubator.vector";

	/**
	 * What {@code java.vm.info} says if the Vector API allocates an object for each
	 * operation, and is slower than any loop.
	 */
	private static final List<String> NO_OPTIMIZING_COMPILER = List.of("emulated-client", "interpreted mode");

	/** Of a register; 0 without the Vector API. */
	private static final int BITS = usableBits();

	private VectorApi() {
	}

	/**
	 * Creates what this JVM computes most quickly with.
	 * @param <T> the type of both implementations
	 * @param type the type of both implementations
	 * @param plain creates the one in plain loops
	 * @param vectorized the name of the class that uses the Vector API
	 * @param leastBits the bits of a register from which on that is quicker
	 * @return one of both
	 */
	public static <T> T quickest(Class<T> type, Supplier<? extends T> plain, String vectorized, int leastBits) {
		if (BITS < leastBits) {
			if (BITS > 0) {
				LOGGER.info("{} are computed in plain loops, because a register of the CPU has {} of {} bits.",
						type.getSimpleName(), BITS, leastBits);
			}
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

	private static int usableBits() {
		if (ModuleLayer.boot().findModule(MODULE).isEmpty()) {
			LOGGER.info("The CPU computes with vectors in plain loops. "
					+ "Start the JVM with --add-modules {} to use the Vector API.", MODULE);
			return 0;
		}
		String compiler = System.getProperty("java.vm.info", "");
		if (NO_OPTIMIZING_COMPILER.stream().anyMatch(compiler::contains)) {
			LOGGER
				.info("The CPU computes with vectors in plain loops, because this JVM ({}) has no optimizing compiler. "
						+ "Remove -XX:TieredStopAtLevel or -Xint to use the Vector API.", compiler);
			return 0;
		}
		int bits = registerBits();
		LOGGER.info("The CPU computes with vectors by the Vector API, in registers of {} bits.", bits);
		return bits;
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
