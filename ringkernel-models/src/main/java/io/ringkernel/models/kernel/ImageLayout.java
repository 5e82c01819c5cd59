package io.ringkernel.models.kernel;

/**
 * Where the words of an image lie. An image is what the kernel holds of an ensemble:
 * <pre>
 *  0  stamp      of the other words; 0 while the image is being stored
 *  1  trees      the number of trees, an even one
 *  2  depth      steps from a root to the deepest leaf
 *  3  groups     margins of a row
 *  4  features   features of a row
 *  5  form       of nodes: the bits of an offset, or GENERAL; and DOUBLES
 *  6  nodes      where nodes begin
 *  7  length     of the image
 *  8  groups     two words each: the base score; the first tree and the one behind the last
 *     nodes      breadth first over all trees: node t is the root of tree t
 *     sets of categories; leaves in double precision
 * </pre>
 * <p>
 * A node takes one word if its numbers fit: a worker of a device reads the nodes of many
 * trees at once, and each word of them on its own. Bits 0 to 31 have the threshold, and
 * bit 63 is set if a missing feature goes to the first child. Between them lie the offset
 * of the first child from the node, in as many bits as the form says, and above it the
 * feature. The second child is behind the first one.
 * <p>
 * In the general form, a node takes two words. The first has the threshold in bits 0 to
 * 31, the feature in bits 32 to 55 and the kind in bits 56 to 63. The second word has the
 * first child in its lower half and the second child in its upper half.
 * <p>
 * A leaf is its own child, at an offset of 0, and has its value in place of a threshold,
 * or says where its double is. A row therefore takes as many steps in each tree, and none
 * of them branches.
 */
final class ImageLayout {

	static final int STAMP = 0;

	static final int TREES = 1;

	static final int DEPTH = 2;

	static final int GROUPS = 3;

	static final int FEATURES = 4;

	static final int FORM = 5;

	static final int NODES = 6;

	static final int LENGTH = 7;

	static final int FIRST_GROUP = 8;

	/**
	 * The form of two words: of splits by categories, of zeros that are missing, and of
	 * great numbers.
	 */
	static final int GENERAL = 0;

	/** A bit beside the form of nodes: leaves are doubles, and so is their sum. */
	static final int DOUBLES = 1 << 8;

	/** Bits of a node that an offset and a feature share. */
	static final int LINK_BITS = 31;

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

	/** Trees that a thread walks side by side, so that it waits for memory once. */
	static final int ABREAST = 2;

	private ImageLayout() {
	}

}
