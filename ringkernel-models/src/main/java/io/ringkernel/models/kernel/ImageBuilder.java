package io.ringkernel.models.kernel;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.stream.IntStream;
import java.util.zip.CRC32C;

import io.ringkernel.models.forest.DecisionTree;
import io.ringkernel.models.forest.Forest;
import io.ringkernel.models.forest.InvalidModelException;
import io.ringkernel.models.forest.Library;

/**
 * Lays an ensemble out in the words of an image.
 */
final class ImageBuilder {

	private final Forest forest;

	/** By group, and in each as the model has them; then trees of nothing. */
	private final List<DecisionTree> trees = new ArrayList<>();

	private final List<int[]> nodes = new ArrayList<>();

	private final BitSet[] seen;

	private final boolean isDouble;

	private long[] words = new long[0];

	private int depth;

	private int end;

	/** The bits of an offset in a node of one word, or {@code GENERAL}. */
	private int form;

	ImageBuilder(Forest forest) {
		this.forest = forest;
		this.isDouble = forest.library() == Library.LIGHTGBM;
		check(forest);
		for (int group = 0; group < forest.baseScores().length; group++) {
			for (int tree = 0; tree < forest.groups().length; tree++) {
				if (forest.groups()[tree] == group) {
					this.trees.add(forest.trees().get(tree));
				}
			}
		}
		this.seen = this.trees.stream().map((tree) -> new BitSet()).toArray(BitSet[]::new);
	}

	private static void check(Forest forest) {
		int groups = forest.baseScores().length;
		range("The number of features", forest.features(), 1,
				Math.min(ScoreRequest.MAX_FLOATS, ImageLayout.FEATURE_MASK));
		range("The number of groups", groups, 1, ScoreResponse.MAX_MARGINS);
		range("The number of trees", forest.trees().size(), 0, EnsembleImage.MAX_TREES);
		range("The number of groups of trees", forest.groups().length, forest.trees().size(), forest.trees().size());
		for (int group : forest.groups()) {
			range("The group of a tree", group, 0, groups - 1);
		}
	}

	private static void range(String what, int value, int least, int most) {
		if (value < least || value > most) {
			throw new InvalidModelException("%s is %d. It must be from %d to %d.".formatted(what, value, least, most));
		}
	}

	EnsembleImage build() {
		int padded = Math.max(ImageLayout.ABREAST,
				(this.trees.size() + ImageLayout.ABREAST - 1) / ImageLayout.ABREAST * ImageLayout.ABREAST);
		layOut(padded);
		int groups = this.forest.baseScores().length;
		int first = ImageLayout.FIRST_GROUP + 2 * groups;
		this.form = form();
		int wordsOfNode = (this.form == ImageLayout.GENERAL) ? 2 : 1;
		long length = first + (long) wordsOfNode * this.nodes.size() + extraWords();
		if (length > EnsembleImage.MAX_WORDS) {
			throw new InvalidModelException(
					"The model takes %d words of 8 bytes. The most is %d.".formatted(length, EnsembleImage.MAX_WORDS));
		}
		this.words = new long[(int) length];
		this.end = first + wordsOfNode * this.nodes.size();
		for (int i = 0; i < this.nodes.size(); i++) {
			put(first + wordsOfNode * i, i, this.nodes.get(i));
		}
		this.words[ImageLayout.TREES] = padded;
		this.words[ImageLayout.DEPTH] = this.depth;
		this.words[ImageLayout.GROUPS] = groups;
		this.words[ImageLayout.FEATURES] = this.forest.features();
		this.words[ImageLayout.FORM] = this.form | (this.isDouble ? ImageLayout.DOUBLES : 0);
		this.words[ImageLayout.NODES] = first;
		this.words[ImageLayout.LENGTH] = length;
		putGroups(groups);
		this.words[ImageLayout.STAMP] = stamp(this.words);
		return new EnsembleImage(this.words);
	}

	/** A node is the number of its tree, its own, and the places of its children. */
	private void layOut(int roots) {
		for (int tree = 0; tree < roots; tree++) {
			add(tree, 0);
		}
		int levelEnd = roots;
		for (int i = 0; i < this.nodes.size(); i++) {
			if (i == levelEnd) {
				this.depth++;
				levelEnd = this.nodes.size();
			}
			int[] node = this.nodes.get(i);
			if (node[0] < this.trees.size() && !this.trees.get(node[0]).isLeaf(node[1])) {
				DecisionTree tree = this.trees.get(node[0]);
				node[2] = add(node[0], tree.first()[node[1]]);
				node[3] = add(node[0], tree.second()[node[1]]);
			}
		}
	}

	/** Returns the place of the node, which is that of its children until it has any. */
	private int add(int tree, int node) {
		if (tree < this.trees.size()) {
			int size = this.trees.get(tree).first().length;
			if (node < 0 || node >= size || this.seen[tree].get(node)) {
				throw new InvalidModelException("Tree %d of a group has a child %d that is %s. The file is damaged."
					.formatted(tree, node,
							(node < 0 || node >= size) ? "none of its " + size + " nodes" : "a child of two nodes"));
			}
			this.seen[tree].set(node);
		}
		int place = this.nodes.size();
		this.nodes.add(new int[] { tree, node, place, place });
		return place;
	}

	private long extraWords() {
		return this.nodes.stream().filter((node) -> node[0] < this.trees.size()).mapToLong((node) -> {
			DecisionTree tree = this.trees.get(node[0]);
			if (tree.isLeaf(node[1])) {
				return this.isDouble ? 1 : 0;
			}
			BitSet set = tree.categories().get(node[1]);
			return (set != null) ? 1 + set.toLongArray().length : 0;
		}).sum();
	}

	private int form() {
		int farthest = IntStream.range(0, this.nodes.size()).map((i) -> this.nodes.get(i)[2] - i).max().orElse(0);
		int offsetBits = Math.max(1, bitsOf(farthest));
		boolean fits = offsetBits + bitsOf(this.forest.features() - 1) <= ImageLayout.LINK_BITS;
		return (fits && this.trees.stream().allMatch(ImageBuilder::isPlain)) ? offsetBits : ImageLayout.GENERAL;
	}

	private static boolean isPlain(DecisionTree tree) {
		return tree.categories().isEmpty()
				&& IntStream.range(0, tree.zeroIsMissing().length).noneMatch((node) -> tree.zeroIsMissing()[node]);
	}

	private static int bitsOf(int number) {
		return Integer.SIZE - Integer.numberOfLeadingZeros(number);
	}

	private void put(int at, int place, int[] node) {
		boolean isGeneral = this.form == ImageLayout.GENERAL;
		if (isGeneral) {
			this.words[at + 1] = (long) node[3] << Integer.SIZE | node[2];
		}
		if (node[0] >= this.trees.size()) {
			return;
		}
		DecisionTree tree = this.trees.get(node[0]);
		if (node[2] == place) {
			this.words[at] = leaf(tree.values()[node[1]]);
			return;
		}
		int feature = tree.features()[node[1]];
		range("The feature of a split", feature, 0, this.forest.features() - 1);
		boolean missingToFirst = tree.missingToFirst()[node[1]];
		BitSet set = tree.categories().get(node[1]);
		int low = (set != null) ? set(set) : threshold((float) tree.values()[node[1]]);
		int high = isGeneral ? kind(tree, node[1], set != null) << (ImageLayout.KIND_SHIFT - Integer.SIZE) | feature
				: (missingToFirst ? Integer.MIN_VALUE : 0) | feature << this.form | (node[2] - place);
		this.words[at] = (long) high << Integer.SIZE | (low & 0xffffffffL);
	}

	private int kind(DecisionTree tree, int node, boolean isCategorical) {
		return (tree.missingToFirst()[node] ? ImageLayout.MISSING_TO_FIRST : 0)
				| (isCategorical ? ImageLayout.CATEGORICAL : 0)
				| (tree.zeroIsMissing()[node] ? ImageLayout.ZERO_IS_MISSING : 0)
				| (this.isDouble ? ImageLayout.CUT_OFF : 0);
	}

	private long leaf(double value) {
		if (!this.isDouble) {
			return bits((float) value);
		}
		this.words[this.end] = Double.doubleToLongBits(value);
		return this.end++;
	}

	private static int threshold(float threshold) {
		if (Float.isNaN(threshold)) {
			throw new InvalidModelException("The threshold of a split is NaN. The file is damaged.");
		}
		return Float.floatToIntBits(threshold);
	}

	private static long bits(float value) {
		return Float.floatToIntBits(value) & 0xffffffffL;
	}

	private int set(BitSet set) {
		long[] bits = set.toLongArray();
		int at = this.end;
		this.words[at] = bits.length;
		System.arraycopy(bits, 0, this.words, at + 1, bits.length);
		this.end += 1 + bits.length;
		return at;
	}

	private void putGroups(int groups) {
		int from = 0;
		for (int group = 0; group < groups; group++) {
			int number = group;
			int to = from + (int) IntStream.of(this.forest.groups()).filter((other) -> other == number).count();
			int at = ImageLayout.FIRST_GROUP + 2 * group;
			this.words[at] = bits(this.forest.baseScores()[group]);
			this.words[at + 1] = (long) to << Integer.SIZE | from;
			from = to;
		}
	}

	/** Two checksums, of the words in order and in reverse. */
	private static long stamp(long[] words) {
		CRC32C forward = new CRC32C();
		CRC32C backward = new CRC32C();
		byte[] bytes = new byte[Long.BYTES];
		ByteBuffer buffer = ByteBuffer.wrap(bytes);
		for (int i = 1; i < words.length; i++) {
			buffer.putLong(0, words[i]);
			forward.update(bytes);
			buffer.putLong(0, words[words.length - i]);
			backward.update(bytes);
		}
		long stamp = forward.getValue() << Integer.SIZE | backward.getValue();
		return (stamp != 0) ? stamp : 1;
	}

}
