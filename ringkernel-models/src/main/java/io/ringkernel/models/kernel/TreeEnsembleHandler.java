package io.ringkernel.models.kernel;

import io.ringkernel.Parallel;
import io.ringkernel.RingKernelHandler;
import io.ringkernel.models.forest.DecisionTree;

/**
 * The kernel of an ensemble, on the CPU and, compiled, on a device. Its state has two
 * halves, with an image each. A request names the half and the stamp of the image that it
 * is for. The sender sees to it that no request scores with a half while another one
 * stores words there.
 *
 * @since 0.2.0
 */
public final class TreeEnsembleHandler implements RingKernelHandler<ScoreRequest, ScoreResponse> {

	/** Leaves of a pass: of as many rows as there is room for with all trees. */
	static final int MAX_LEAVES = 1 << 16;

	private static final int UNROLLED = 8;

	/** Eight doubles ahead take more registers than each of 512 threads can have. */
	private static final int UNROLLED_DOUBLES = 4;

	private final int halfWords;

	private final long[] words;

	/**
	 * Creates the handler.
	 * @param image the image that its first half has at first
	 * @param maxWords the most words that an image may have
	 */
	public TreeEnsembleHandler(EnsembleImage image, int maxWords) {
		this.halfWords = maxWords;
		this.words = new long[2 * maxWords];
		long[] initial = image.words();
		System.arraycopy(initial, 0, this.words, 0, initial.length);
	}

	@Override
	public ScoreResponse handle(ScoreRequest request) {
		int base = request.half() * this.halfWords;
		return switch (request.operation()) {
			case SCORE -> score(base, request.stamp(), request.features());
			case LOAD -> load(base + request.offset(), request.words());
		};
	}

	private ScoreResponse load(int to, long[] loaded) {
		Parallel.range(loaded.length, (i) -> this.words[to + i] = loaded[i]);
		return new ScoreResponse(false, new float[0]);
	}

	private ScoreResponse score(int base, long stamp, float[] features) {
		if (this.words[base + ImageLayout.STAMP] != stamp) {
			return new ScoreResponse(true, new float[0]);
		}
		int trees = (int) this.words[base + ImageLayout.TREES];
		int depth = (int) this.words[base + ImageLayout.DEPTH];
		int groups = (int) this.words[base + ImageLayout.GROUPS];
		int width = (int) this.words[base + ImageLayout.FEATURES];
		int flags = (int) this.words[base + ImageLayout.FLAGS];
		int nodes = base + (int) this.words[base + ImageLayout.NODES];
		int rows = features.length / width;
		int most = Math.min(rows, MAX_LEAVES / trees);
		float[] margins = new float[Math.min(rows * groups, ScoreResponse.MAX_MARGINS)];
		int[] leaves = new int[Math.min(most * trees, MAX_LEAVES)];
		for (int first = 0; first < rows; first += most) {
			int from = first;
			int count = Math.min(most, rows - first);
			int steps = count * (trees / ImageLayout.ABREAST);
			if ((flags & ImageLayout.GENERAL) == 0) {
				Parallel.range(steps, (i) -> walk(nodes, i / count * ImageLayout.ABREAST, depth, features,
						(from + i % count) * width, leaves, i % count, count));
			}
			else {
				Parallel.range(count * trees, (i) -> leaves[i] = generalLeaf(base, nodes, i / count, depth, features,
						(from + i % count) * width));
			}
			if ((flags & ImageLayout.DOUBLES) == 0) {
				Parallel.range(count * groups, (i) -> margins[(from + i % count) * groups + i / count] = sum(base,
						i / count, leaves, i % count, count));
			}
			else {
				Parallel.range(count * groups,
						(i) -> margins[(from + i % count) * groups + i / count] = sumOfDoubles(base, i / count, leaves,
								i % count, count));
			}
		}
		return new ScoreResponse(false, margins);
	}

	/** Takes a row through four trees, one step in each at a time. */
	private void walk(int nodes, int tree, int depth, float[] features, int row, int[] leaves, int place, int stride) {
		int a = tree;
		int b = tree + 1;
		int c = tree + 2;
		int d = tree + 3;
		for (int step = 0; step < depth; step++) {
			a = next(nodes + 2 * a, features, row);
			b = next(nodes + 2 * b, features, row);
			c = next(nodes + 2 * c, features, row);
			d = next(nodes + 2 * d, features, row);
		}
		leaves[tree * stride + place] = (int) this.words[nodes + 2 * a];
		leaves[(tree + 1) * stride + place] = (int) this.words[nodes + 2 * b];
		leaves[(tree + 2) * stride + place] = (int) this.words[nodes + 2 * c];
		leaves[(tree + 3) * stride + place] = (int) this.words[nodes + 2 * d];
	}

	private int next(int node, float[] features, int row) {
		long split = this.words[node];
		long children = this.words[node + 1];
		float feature = features[row + ((int) (split >>> ImageLayout.FEATURE_SHIFT) & ImageLayout.FEATURE_MASK)];
		float threshold = Float.intBitsToFloat((int) split);
		int less = (feature < threshold) ? 1 : 0;
		int missing = Float.isNaN(feature) ? 1 : 0;
		int first = less | (missing & (int) (split >>> ImageLayout.KIND_SHIFT));
		return (first != 0) ? (int) children : (int) (children >>> Integer.SIZE);
	}

	private int generalLeaf(int base, int nodes, int tree, int depth, float[] features, int row) {
		int node = tree;
		for (int step = 0; step < depth; step++) {
			node = generalNext(base, nodes + 2 * node, features, row);
		}
		return (int) this.words[nodes + 2 * node];
	}

	private int generalNext(int base, int node, float[] features, int row) {
		long split = this.words[node];
		long children = this.words[node + 1];
		int kind = (int) (split >>> ImageLayout.KIND_SHIFT);
		float feature = features[row + ((int) (split >>> ImageLayout.FEATURE_SHIFT) & ImageLayout.FEATURE_MASK)];
		boolean first;
		if (Float.isNaN(feature)
				|| ((kind & ImageLayout.ZERO_IS_MISSING) != 0 && Math.abs(feature) <= DecisionTree.ZERO)) {
			first = (kind & ImageLayout.MISSING_TO_FIRST) != 0;
		}
		else if ((kind & ImageLayout.CATEGORICAL) != 0) {
			first = isCategory(base + (int) split, feature, kind);
		}
		else {
			first = feature < Float.intBitsToFloat((int) split);
		}
		return first ? (int) children : (int) (children >>> Integer.SIZE);
	}

	/** Whether a category is in a set, whose first word says how many others it has. */
	private boolean isCategory(int set, float feature, int kind) {
		if (!(feature >= 0) && ((kind & ImageLayout.CUT_OFF) == 0 || !(feature > -1))) {
			return false;
		}
		int category = (int) feature;
		int word = category >> 6;
		return word < (int) this.words[set] && ((this.words[set + 1 + word] >>> (category & 63)) & 1) != 0;
	}

	/** Adds the leaves of a group in the order of its trees. */
	private float sum(int base, int group, int[] leaves, int place, int stride) {
		int at = base + ImageLayout.FIRST_GROUP + 2 * group;
		float sum = Float.intBitsToFloat((int) this.words[at]);
		int from = (int) this.words[at + 1] * stride + place;
		int to = (int) (this.words[at + 1] >>> Integer.SIZE) * stride + place;
		int leaf = from;
		for (; leaf + (UNROLLED - 1) * stride < to; leaf += UNROLLED * stride) {
			float a = Float.intBitsToFloat(leaves[leaf]);
			float b = Float.intBitsToFloat(leaves[leaf + stride]);
			float c = Float.intBitsToFloat(leaves[leaf + 2 * stride]);
			float d = Float.intBitsToFloat(leaves[leaf + 3 * stride]);
			float e = Float.intBitsToFloat(leaves[leaf + 4 * stride]);
			float f = Float.intBitsToFloat(leaves[leaf + 5 * stride]);
			float g = Float.intBitsToFloat(leaves[leaf + 6 * stride]);
			float h = Float.intBitsToFloat(leaves[leaf + 7 * stride]);
			sum = sum + a + b + c + d + e + f + g + h;
		}
		for (; leaf < to; leaf += stride) {
			sum += Float.intBitsToFloat(leaves[leaf]);
		}
		return sum;
	}

	/** As {@link #sum}, of the doubles whose places the leaves have. */
	private float sumOfDoubles(int base, int group, int[] leaves, int place, int stride) {
		int at = base + ImageLayout.FIRST_GROUP + 2 * group;
		double sum = Float.intBitsToFloat((int) this.words[at]);
		int from = (int) this.words[at + 1] * stride + place;
		int to = (int) (this.words[at + 1] >>> Integer.SIZE) * stride + place;
		int leaf = from;
		for (; leaf + (UNROLLED_DOUBLES - 1) * stride < to; leaf += UNROLLED_DOUBLES * stride) {
			double a = Double.longBitsToDouble(this.words[base + leaves[leaf]]);
			double b = Double.longBitsToDouble(this.words[base + leaves[leaf + stride]]);
			double c = Double.longBitsToDouble(this.words[base + leaves[leaf + 2 * stride]]);
			double d = Double.longBitsToDouble(this.words[base + leaves[leaf + 3 * stride]]);
			sum = sum + a + b + c + d;
		}
		for (; leaf < to; leaf += stride) {
			sum += Double.longBitsToDouble(this.words[base + leaves[leaf]]);
		}
		return (float) sum;
	}

}
