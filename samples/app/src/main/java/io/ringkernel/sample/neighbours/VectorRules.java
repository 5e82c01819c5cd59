package io.ringkernel.sample.neighbours;

import java.util.HashSet;
import java.util.List;
import java.util.Set;

import io.ringkernel.sample.web.InvalidInputException;

import org.springframework.stereotype.Component;

/** What vectors have to be like before a message is made of them. */
@Component
class VectorRules {

	/**
	 * Far enough from the largest float that no squared distance overflows: (2·10¹⁵)² ·
	 * 16384 is 6.6·10³⁴.
	 */
	static final float MAX_MAGNITUDE = 1e15f;

	private final int dimensions;

	VectorRules(NearestNeighboursProperties properties) {
		this.dimensions = properties.dimensions();
	}

	void check(List<IndexedVector> vectors) {
		Set<Integer> ids = new HashSet<>();
		for (int i = 0; i < vectors.size(); i++) {
			String field = "vectors[%d]".formatted(i);
			IndexedVector indexed = vectors.get(i);
			if (indexed == null) {
				throw new InvalidInputException(field, "is null", null, null);
			}
			check(field + ".vector", indexed.vector());
			if (!ids.add(indexed.id())) {
				throw new InvalidInputException(field + ".id", "occurs twice in the request", null, indexed.id());
			}
		}
	}

	void check(String field, float[] vector) {
		if (vector.length != this.dimensions) {
			throw new InvalidInputException(field,
					"has %d elements where vectors have %d".formatted(vector.length, this.dimensions), this.dimensions,
					vector.length);
		}
		for (int i = 0; i < vector.length; i++) {
			if (Math.abs(vector[i]) > MAX_MAGNITUDE) {
				throw new InvalidInputException("%s[%d]".formatted(field, i), "is too large for a squared distance",
						MAX_MAGNITUDE, vector[i]);
			}
		}
	}

	void checkK(int k) {
		if (k < 1 || k > NeighbourRequest.MAX_K) {
			throw new InvalidInputException("k", "is not from 1 to %d".formatted(NeighbourRequest.MAX_K),
					NeighbourRequest.MAX_K, k);
		}
	}

}
