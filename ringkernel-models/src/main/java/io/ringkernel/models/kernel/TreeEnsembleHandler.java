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

	private final int halfWords;

	private final long[] words;

	/**
	 * Creates the handler without an image: each request to score is stale until one is
	 * stored. The code of a kernel then stays small, whatever its model takes.
	 * @param maxWords the most words that an image may have
	 */
	public TreeEnsembleHandler(int maxWords) {
		this.halfWords = maxWords;
		this.words = new long[2 * maxWords];
	}

	/**
	 * Creates the handler.
	 * @param image the image that its first half has at first
	 * @param maxWords the most words that an image may have
	 */
	public TreeEnsembleHandler(EnsembleImage image, int maxWords) {
		this(maxWords);
		long[] initial = image.words();
		System.arraycopy(initial, 0, this.words, 0, initial.length);
	}

	@Override
	public ScoreResponse handle(ScoreRequest request) {
		int base = request.half() * this.halfWords;
		return switch (request.operation()) {
			case SCORE -> score(base, request.stamp(), request.features());
			case LOAD -> load(base, request.stamp(), request.offset(), request.words());
		};
	}

	private ScoreResponse load(int base, long stamp, int offset, long[] loaded) {
		if (stamp != 0 && this.words[base + ImageLayout.STAMP] != stamp) {
			return new ScoreResponse(true, new float[0]);
		}
		int to = base + offset;
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
		int form = (int) this.words[base + ImageLayout.FORM];
		int offsetBits = form & ~ImageLayout.DOUBLES;
		int nodes = base + (int) this.words[base + ImageLayout.NODES];
		int rows = features.length / width;
		int most = Math.min(rows, MAX_LEAVES / trees);
		float[] margins = new float[Math.min(rows * groups, ScoreResponse.MAX_MARGINS)];
		int[] leaves = new int[Math.min(most * trees, MAX_LEAVES)];
		for (int first = 0; first < rows; first += most) {
			int from = first;
			int count = Math.min(most, rows - first);
			if (offsetBits != ImageLayout.GENERAL) {
				Parallel.range(count * (trees / ImageLayout.ABREAST),
						(i) -> walk(nodes, offsetBits, i / count * ImageLayout.ABREAST, depth, features,
								(from + i % count) * width, leaves, i % count * trees));
			}
			else {
				Parallel.range(count * trees, (i) -> leaves[i % count * trees + i / count] = generalLeaf(base, nodes,
						i / count, depth, features, (from + i % count) * width));
			}
			if ((form & ImageLayout.DOUBLES) == 0) {
				Parallel.range(count * groups, (i) -> margins[(from + i % count) * groups + i / count] = sum(base,
						i / count, leaves, i % count * trees));
			}
			else {
				Parallel.range(count * groups,
						(i) -> margins[(from + i % count) * groups + i / count] = sumOfDoubles(base, i / count, leaves,
								i % count * trees));
			}
		}
		return new ScoreResponse(false, margins);
	}

	/**
	 * Takes a row through two trees, one step in each at a time: what they read is under
	 * way together.
	 */
	private void walk(int nodes, int offsetBits, int tree, int depth, float[] features, int row, int[] leaves,
			int leaf) {
		int a = nodes + tree;
		int b = nodes + tree + 1;
		for (int step = 0; step < depth; step++) {
			long splitA = this.words[a];
			long splitB = this.words[b];
			float featureA = features[row + feature(splitA, offsetBits)];
			float featureB = features[row + feature(splitB, offsetBits)];
			a += toChild(splitA, featureA, offsetBits);
			b += toChild(splitB, featureB, offsetBits);
		}
		leaves[leaf + tree] = (int) this.words[a];
		leaves[leaf + tree + 1] = (int) this.words[b];
	}

	private static int feature(long split, int offsetBits) {
		return ((int) (split >>> Integer.SIZE) & Integer.MAX_VALUE) >>> offsetBits;
	}

	private static int toChild(long split, float feature, int offsetBits) {
		int link = (int) (split >>> Integer.SIZE);
		int offset = link & ((1 << offsetBits) - 1);
		int atLeast = (feature >= Float.intBitsToFloat((int) split)) ? 1 : 0;
		int missing = Float.isNaN(feature) ? 1 : 0;
		int second = atLeast | (missing & ~(link >>> ImageLayout.LINK_BITS));
		return offset + (second & Math.min(offset, 1));
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
	private float sum(int base, int group, int[] leaves, int first) {
		int at = base + ImageLayout.FIRST_GROUP + 2 * group;
		float sum = Float.intBitsToFloat((int) this.words[at]);
		int to = first + (int) (this.words[at + 1] >>> Integer.SIZE);
		for (int leaf = first + (int) this.words[at + 1]; leaf < to; leaf++) {
			sum += Float.intBitsToFloat(leaves[leaf]);
		}
		return sum;
	}

	/** As {@link #sum}, of the doubles whose places the leaves have. */
	private float sumOfDoubles(int base, int group, int[] leaves, int first) {
		int at = base + ImageLayout.FIRST_GROUP + 2 * group;
		double sum = Float.intBitsToFloat((int) this.words[at]);
		int to = first + (int) (this.words[at + 1] >>> Integer.SIZE);
		for (int leaf = first + (int) this.words[at + 1]; leaf < to; leaf++) {
			sum += Double.longBitsToDouble(this.words[base + leaves[leaf]]);
		}
		return (float) sum;
	}

}
