package io.ringkernel.spring.ai.graph;

import java.util.Arrays;

import io.ringkernel.spring.ai.search.SimilarityMetric;

/**
 * The vectors of a graph by their nodes, rounded to bytes: a way through the graph reads
 * vectors from all over the memory, which takes longer than to compare them. Those of
 * neighbouring nodes lie one after another. One thread at a time writes a vector, and any
 * number of threads compare with those that were written.
 */
final class GraphVectors {

	private static final int NODES_PER_BLOCK = 1024;

	private final SimilarityMetric metric;

	private final int dimensions;

	private volatile Block[] blocks = {};

	GraphVectors(SimilarityMetric metric, int dimensions) {
		this.metric = metric;
		this.dimensions = dimensions;
	}

	/** The result is valid until the vector of the node is written again. */
	RoundedVector write(int node, float[] vector) {
		int number = node / NODES_PER_BLOCK;
		if (number >= this.blocks.length) {
			Block[] more = Arrays.copyOf(this.blocks, number + 1);
			for (int i = this.blocks.length; i <= number; i++) {
				more[i] = new Block(this.dimensions);
			}
			this.blocks = more;
		}
		Block block = this.blocks[number];
		int place = node % NODES_PER_BLOCK;
		RoundedVector written = RoundedVector.write(this.metric, vector, block.elements, place * this.dimensions);
		block.scales[place] = written.scale();
		block.squares[place] = written.squares();
		return written;
	}

	/** How similar both are: anything, if another thread writes that of the node. */
	float similarity(int node, RoundedVector vector) {
		Block block = this.blocks[node / NODES_PER_BLOCK];
		int place = node % NODES_PER_BLOCK;
		return vector.similarity(this.metric, block.elements, place * this.dimensions, block.scales[place],
				block.squares[place]);
	}

	/**
	 * How similar a vector and those of the first nodes of an array are. To read several
	 * at once takes less than to read one after another, because they lie all over the
	 * memory.
	 */
	void similarities(RoundedVector vector, int[] nodes, int count, float[] similarities) {
		Block[] all = this.blocks;
		byte[][] elements = new byte[ByteProducts.AT_ONCE][];
		int[] offsets = new int[ByteProducts.AT_ONCE];
		int[] products = new int[ByteProducts.AT_ONCE];
		for (int from = 0; from < count; from += ByteProducts.AT_ONCE) {
			for (int i = 0; i < ByteProducts.AT_ONCE; i++) {
				// Of fewer, the last one is read again.
				int node = nodes[Math.min(from + i, count - 1)];
				elements[i] = all[node / NODES_PER_BLOCK].elements;
				offsets[i] = node % NODES_PER_BLOCK * this.dimensions;
			}
			vector.dotProducts(elements, offsets, products);
			for (int i = from; i < Math.min(from + ByteProducts.AT_ONCE, count); i++) {
				Block block = all[nodes[i] / NODES_PER_BLOCK];
				int place = nodes[i] % NODES_PER_BLOCK;
				similarities[i] = vector.similarity(this.metric, products[i - from], block.scales[place],
						block.squares[place]);
			}
		}
	}

	private static final class Block {

		private final byte[] elements;

		private final float[] scales = new float[NODES_PER_BLOCK];

		private final float[] squares = new float[NODES_PER_BLOCK];

		Block(int dimensions) {
			this.elements = new byte[NODES_PER_BLOCK * dimensions];
		}

	}

}
