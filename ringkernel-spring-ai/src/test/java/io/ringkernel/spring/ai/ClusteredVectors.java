package io.ringkernel.spring.ai;

import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.Random;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;

/**
 * Vectors of length 1 in clusters of about a hundred, and queries that are drawn in the
 * same way. As an embedding model, it makes those of {@code document 17} and
 * {@code query 17}.
 */
final class ClusteredVectors extends HashEmbeddingModel {

	private static final long SEED = 42;

	private static final int VECTORS_PER_CLUSTER = 100;

	/** How far a vector is from the middle of its cluster, whose own length is 1. */
	private static final double SPREAD = 0.7;

	private final Random random = new Random(SEED);

	private final float[][] documents;

	private final float[][] queries;

	ClusteredVectors(int documents, int queries, int dimensions) {
		super(dimensions);
		double[][] centers = new double[Math.max(1, documents / VECTORS_PER_CLUSTER)][];
		for (int i = 0; i < centers.length; i++) {
			centers[i] = add(new double[dimensions], 1);
		}
		this.documents = vectors(documents, centers);
		this.queries = vectors(queries, centers);
	}

	private float[][] vectors(int count, double[][] centers) {
		float[][] vectors = new float[count][];
		for (int i = 0; i < count; i++) {
			vectors[i] = unit(add(centers[this.random.nextInt(centers.length)], SPREAD));
		}
		return vectors;
	}

	private double[] add(double[] vector, double length) {
		double[] sum = new double[vector.length];
		for (int i = 0; i < sum.length; i++) {
			sum[i] = vector[i] + this.random.nextGaussian() * length / Math.sqrt(sum.length);
		}
		return sum;
	}

	private static float[] unit(double[] vector) {
		double length = Math.sqrt(IntStream.range(0, vector.length).mapToDouble((i) -> vector[i] * vector[i]).sum());
		float[] unit = new float[vector.length];
		for (int i = 0; i < unit.length; i++) {
			unit[i] = (float) (vector[i] / length);
		}
		return unit;
	}

	@Override
	protected float[] vector(String text) {
		int number = Integer.parseInt(text.substring(text.indexOf(' ') + 1));
		return text.startsWith("query") ? this.queries[number] : this.documents[number];
	}

	/**
	 * The documents that are nearest to each query, compared in double precision.
	 * @param selected which documents count
	 */
	List<List<Integer>> nearest(int count, IntPredicate selected) {
		return IntStream.range(0, this.queries.length)
			.parallel()
			.mapToObj((query) -> nearest(this.queries[query], count, selected))
			.toList();
	}

	private List<Integer> nearest(float[] query, int count, IntPredicate selected) {
		record Scored(int document, double score) {
		}
		PriorityQueue<Scored> best = new PriorityQueue<>(Comparator.comparingDouble(Scored::score));
		for (int i = 0; i < this.documents.length; i++) {
			if (selected.test(i)) {
				double score = 0;
				for (int element = 0; element < query.length; element++) {
					score += (double) query[element] * this.documents[i][element];
				}
				if (best.size() < count || score > best.element().score()) {
					best.add(new Scored(i, score));
				}
				if (best.size() > count) {
					best.remove();
				}
			}
		}
		return best.stream().map(Scored::document).toList();
	}

}
