package io.ringkernel.sample.stream;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;

import io.ringkernel.models.forest.DecisionTree;
import io.ringkernel.models.forest.Forest;
import io.ringkernel.models.forest.ForestReader;
import io.ringkernel.models.kernel.EnsembleImage;

import org.springframework.core.io.ClassPathResource;

/**
 * A model that plain Java evaluates, tree by tree.
 *
 * @param stamp what scores name it by
 * @param forest its trees
 */
record PlainForest(String stamp, Forest forest) {

	/**
	 * The model of the application.
	 */
	static PlainForest first() {
		try {
			return of(new ClassPathResource("fraud.json").getContentAsByteArray());
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/**
	 * A model of XGBoost in JSON.
	 */
	static PlainForest of(byte[] file) {
		try {
			Forest forest = ForestReader.read(new ByteArrayInputStream(file));
			return new PlainForest(Long.toHexString(EnsembleImage.of(forest).stamp()), forest);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	float score(float[] row) {
		float margin = this.forest.baseScores()[0];
		for (DecisionTree tree : this.forest.trees()) {
			margin += leaf(tree, row);
		}
		return this.forest.objective().predictions(new float[] { margin }, 1)[0];
	}

	private static float leaf(DecisionTree tree, float[] row) {
		int node = 0;
		while (!tree.isLeaf(node)) {
			float feature = row[tree.features()[node]];
			boolean first = Float.isNaN(feature) ? tree.missingToFirst()[node] : feature < tree.values()[node];
			node = first ? tree.first()[node] : tree.second()[node];
		}
		return (float) tree.values()[node];
	}

}
