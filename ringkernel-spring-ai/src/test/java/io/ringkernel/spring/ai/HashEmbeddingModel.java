package io.ringkernel.spring.ai;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Random;

import org.springframework.ai.document.Document;
import org.springframework.ai.embedding.Embedding;
import org.springframework.ai.embedding.EmbeddingModel;
import org.springframework.ai.embedding.EmbeddingRequest;
import org.springframework.ai.embedding.EmbeddingResponse;

/**
 * Makes a vector of a text from the hashes of its words: texts that share words are near
 * each other, on every machine in the same way.
 */
public class HashEmbeddingModel implements EmbeddingModel {

	private final int dimensions;

	public HashEmbeddingModel(int dimensions) {
		this.dimensions = dimensions;
	}

	@Override
	public int dimensions() {
		return this.dimensions;
	}

	@Override
	public float[] embed(Document document) {
		return vector(String.valueOf(document.getText()));
	}

	@Override
	public EmbeddingResponse call(EmbeddingRequest request) {
		List<Embedding> embeddings = new ArrayList<>();
		for (String text : request.getInstructions()) {
			embeddings.add(new Embedding(vector(text), embeddings.size()));
		}
		return new EmbeddingResponse(embeddings);
	}

	protected float[] vector(String text) {
		float[] sum = new float[this.dimensions];
		for (String word : text.toLowerCase(Locale.ROOT).split("\\W+")) {
			Random random = new Random(word.hashCode());
			for (int i = 0; i < sum.length; i++) {
				sum[i] += (float) random.nextGaussian();
			}
		}
		return sum;
	}

}
