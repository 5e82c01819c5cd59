package io.ringkernel.models.kernel;

/**
 * Where the words of an image lie. An image is what the kernel holds of an ensemble:
 * <pre>
 *  0  stamp      of the other words; 0 while the image is being stored
 *  1  trees      the number of trees, a multiple of four
 *  2  depth      steps from a root to the deepest leaf
 *  3  groups     margins of a row
 *  4  features   features of a row
 *  5  flags      GENERAL, DOUBLES
 *  6  nodes      where nodes begin
 *  7  length     of the image
 *  8  groups     two words each: the base score; the first tree and the one behind the last
 *     nodes      two words each, breadth first over all trees: node t is the root of tree t
 *     sets of categories; leaves in double precision
 * </pre> The first word of a node has its threshold in bits 0 to 31, its feature in bits
 * 32 to 55 and its kind in bits 56 to 63. The second word has the first child in its
 * lower half and the second child in its upper half. A leaf is its own child and has its
 * value in place of a threshold, or says where its double is. A row therefore takes as
 * many steps in each tree, and none of them branches.
 */
final class ImageLayout {

	static final int STAMP = 0;

	static final int TREES = 1;

	static final int DEPTH = 2;

	static final int GROUPS = 3;

	static final int FEATURES = 4;

	static final int FLAGS = 5;

	static final int NODES = 6;

	static final int LENGTH = 7;

	static final int FIRST_GROUP = 8;

	/** A flag: splits by categories, or of zeros that are missing. */
	static final int GENERAL = 1;

	/** A flag: leaves are doubles, and so is their sum. */
	static final int DOUBLES = 2;

	static final int FEATURE_SHIFT = 32;

	static final int FEATURE_MASK = 0xffffff;

	static final int KIND_SHIFT = 56;

	/** A kind: a missing feature goes to the first child. */
	static final int MISSING_TO_FIRST = 1;

	/** A kind: the set of categories is where the threshold says. */
	static final int CATEGORICAL = 2;

	/** A kind: a feature that counts as 0 is missing. */
	static final int ZERO_IS_MISSING = 4;

	/** A kind: a category is cut off towards 0. */
	static final int CUT_OFF = 8;

	/**
	 * Trees whose steps a thread takes side by side, so that it waits for memory once.
	 */
	static final int ABREAST = 4;

	private ImageLayout() {
	}

}
