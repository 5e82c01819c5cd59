package io.ringkernel.spring.ai.embedding;

import java.util.List;
import java.util.Random;
import java.util.stream.Stream;

import io.ringkernel.spring.ai.embedding.model.EncoderShape;
import io.ringkernel.spring.ai.embedding.model.EncoderWeights;

/**
 * Weights of a model that was not trained, as large as those of one that was.
 */
public final class RandomWeights {

	/** Of all-MiniLM-L6-v2. */
	public static final EncoderShape MINILM = new EncoderShape(30_522, 512, 384, 12, 6, 1536, 1e-12f);

	/** As small as the kernel takes. */
	public static final EncoderShape TINY = new EncoderShape(97, 80, 384, 12, 1, 1536, 1e-12f);

	/** The same with a layer behind another. */
	static final EncoderShape TWO_LAYERS = new EncoderShape(97, 80, 384, 12, 2, 1536, 1e-12f);

	private final Random random = new Random(7);

	private final EncoderShape shape;

	private RandomWeights(EncoderShape shape) {
		this.shape = shape;
	}

	public static EncoderWeights of(EncoderShape shape) {
		return new RandomWeights(shape).weights();
	}

	private EncoderWeights weights() {
		int hidden = this.shape.hidden();
		return new EncoderWeights(this.shape, gaussian(this.shape.vocabulary() * hidden, 0.05f),
				gaussian(this.shape.positions() * hidden, 0.02f), gaussian(hidden, 0.02f), norm(),
				Stream.generate(this::layer).limit(this.shape.layers()).toList());
	}

	private EncoderWeights.Layer layer() {
		int hidden = this.shape.hidden();
		int inner = this.shape.intermediate();
		List<EncoderWeights.Dense> heads = Stream.generate(() -> dense(hidden, hidden)).limit(4).toList();
		return new EncoderWeights.Layer(heads.get(0), heads.get(1), heads.get(2), heads.get(3), norm(),
				dense(inner, hidden), dense(hidden, inner), norm());
	}

	private EncoderWeights.Dense dense(int columns, int rows) {
		return new EncoderWeights.Dense(gaussian(columns * rows, 1.5f / (float) Math.sqrt(rows)),
				gaussian(columns, 0.1f));
	}

	private EncoderWeights.Norm norm() {
		float[] weight = gaussian(this.shape.hidden(), 0.1f);
		for (int i = 0; i < weight.length; i++) {
			weight[i] += 1;
		}
		return new EncoderWeights.Norm(weight, gaussian(this.shape.hidden(), 0.1f));
	}

	private float[] gaussian(int count, float deviation) {
		float[] values = new float[count];
		for (int i = 0; i < count; i++) {
			values[i] = (float) this.random.nextGaussian() * deviation;
		}
		return values;
	}

}
