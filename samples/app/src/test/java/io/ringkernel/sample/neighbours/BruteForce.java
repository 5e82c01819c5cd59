package io.ringkernel.sample.neighbours;

import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;

/**
 * The nearest neighbours by sorting everything. Elements are small integers, so that
 * every distance is exact and many of them are equal.
 */
public final class BruteForce {

	private final Map<Integer, float[]> vectors = new TreeMap<>();

	public static float[] vector(Random random, int dimensions) {
		float[] vector = new float[dimensions];
		for (int i = 0; i < dimensions; i++) {
			vector[i] = random.nextInt(4);
		}
		return vector;
	}

	Map<Integer, float[]> vectors() {
		return this.vectors;
	}

	List<Neighbour> query(float[] query, int k) {
		return this.vectors.entrySet()
			.stream()
			.map((entry) -> new Neighbour(entry.getKey(), (float) squaredDistance(entry.getValue(), query)))
			.sorted()
			.limit(k)
			.toList();
	}

	public static double squaredDistance(float[] a, float[] b) {
		double sum = 0;
		for (int i = 0; i < a.length; i++) {
			sum += ((double) a[i] - b[i]) * ((double) a[i] - b[i]);
		}
		return sum;
	}

}
