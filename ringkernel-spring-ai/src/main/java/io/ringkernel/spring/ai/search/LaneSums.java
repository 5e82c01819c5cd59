package io.ringkernel.spring.ai.search;

import java.util.List;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sums over two vectors, which the CPU compares them by. Element {@code i} is added to
 * sum {@code i % 8}, because one sum would make every addition wait for the one before
 * it; what is left behind the last eight elements is added to the first sum. The sums are
 * then added in pairs. No product is fused with an addition. So the result is the same to
 * the bit, whichever class computes it.
 */
interface LaneSums {

	/** How many sums there are. */
	int LANES = 8;

	/**
	 * What {@code java.vm.info} says if the Vector API allocates an object for each
	 * operation, and is slower than any loop.
	 */
	List<String> NO_OPTIMIZING_COMPILER = List.of("emulated-client", "interpreted mode");

	/** What this JVM computes most quickly with. */
	LaneSums QUICKEST = quickest();

	/**
	 * The dot product of a vector and one within an array.
	 */
	float dotProduct(float[] all, int offset, float[] vector);

	/**
	 * The squared Euclidean distance of a vector from one within an array.
	 */
	float squaredDistance(float[] all, int offset, float[] vector);

	/**
	 * How many lanes the processor adds to at once.
	 */
	int lanesAtOnce();

	private static LaneSums quickest() {
		Logger logger = LoggerFactory.getLogger(LaneSums.class);
		if (ModuleLayer.boot().findModule("jdk.incubator.vector").isEmpty()) {
			logger.info("Vectors are compared on the CPU in plain loops. "
					+ "Start the JVM with --add-modules jdk.incubator.vector to use the Vector API.");
			return new PlainLaneSums();
		}
		String compiler = System.getProperty("java.vm.info", "");
		if (NO_OPTIMIZING_COMPILER.stream().anyMatch(compiler::contains)) {
			logger.info(
					"Vectors are compared on the CPU in plain loops, because this JVM ({}) has no optimizing compiler. "
							+ "Remove -XX:TieredStopAtLevel or -Xint to use the Vector API.",
					compiler);
			return new PlainLaneSums();
		}
		LaneSums vectorized = vectorized();
		if (vectorized.lanesAtOnce() < LANES) {
			logger.info(
					"Vectors are compared on the CPU in plain loops, because a register of it holds {} of {} lanes.",
					vectorized.lanesAtOnce(), LANES);
			return new PlainLaneSums();
		}
		logger.info("Vectors are compared on the CPU with the Vector API.");
		return vectorized;
	}

	/** By its name, because it is compiled after this, with the module. */
	private static LaneSums vectorized() {
		try {
			return Class.forName("io.ringkernel.spring.ai.search.VectorLaneSums")
				.asSubclass(LaneSums.class)
				.getDeclaredConstructor()
				.newInstance();
		}
		catch (ReflectiveOperationException ex) {
			throw new IllegalStateException("The class that uses the Vector API is not in the jar.", ex);
		}
	}

}
