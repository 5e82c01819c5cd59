package io.ringkernel.sample.search.index;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;

import io.ringkernel.sample.search.corpus.Category;
import io.ringkernel.sample.search.corpus.Passage;
import org.jspecify.annotations.Nullable;

import org.springframework.stereotype.Component;

/**
 * What one would write without a vector store: a loop over vectors in the heap, on the
 * thread that asks. One thread adds, any number search.
 */
@Component
public class PlainSearch {

	private static final int INITIAL_CAPACITY = 1024;

	private static final Comparator<Candidate> WORST_FIRST = Comparator.comparingDouble(Candidate::similarity);

	private volatile Rows rows = new Rows(new Passage[INITIAL_CAPACITY], new float[INITIAL_CAPACITY][], 0);

	void add(Passage passage, float[] vector) {
		Rows present = this.rows;
		int size = present.size();
		boolean full = size == present.passages().length;
		Passage[] passages = full ? Arrays.copyOf(present.passages(), 2 * size) : present.passages();
		float[][] vectors = full ? Arrays.copyOf(present.vectors(), 2 * size) : present.vectors();
		passages[size] = passage;
		vectors[size] = vector;
		this.rows = new Rows(passages, vectors, size + 1);
	}

	/**
	 * Finds the passages that are nearest to a vector.
	 * @param vector the vector, of length 1 as all of them
	 * @param category of which passages, or {@code null} for any
	 * @param limit the most passages to find
	 * @return the ids of the passages, the nearest first
	 */
	public List<String> search(float[] vector, @Nullable Category category, int limit) {
		Rows present = this.rows;
		PriorityQueue<Candidate> nearest = new PriorityQueue<>(WORST_FIRST);
		for (int row = 0; row < present.size(); row++) {
			if (category == null || present.passages()[row].category() == category) {
				nearest.add(new Candidate(row, dotProduct(vector, present.vectors()[row])));
				if (nearest.size() > limit) {
					nearest.remove();
				}
			}
		}
		List<String> ids = new ArrayList<>();
		while (!nearest.isEmpty()) {
			ids.add(present.passages()[nearest.remove().row()].id());
		}
		Collections.reverse(ids);
		return ids;
	}

	private static float dotProduct(float[] a, float[] b) {
		float sum = 0;
		for (int i = 0; i < a.length; i++) {
			sum += a[i] * b[i];
		}
		return sum;
	}

	private record Rows(Passage[] passages, float[][] vectors, int size) {
	}

	private record Candidate(int row, float similarity) {
	}

}
