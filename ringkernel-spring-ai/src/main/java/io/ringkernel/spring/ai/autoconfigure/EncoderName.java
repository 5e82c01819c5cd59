package io.ringkernel.spring.ai.autoconfigure;

import java.nio.ByteBuffer;
import java.util.Objects;
import java.util.zip.CRC32C;

import io.ringkernel.spring.ai.embedding.RingKernelEmbeddingModel;
import io.ringkernel.spring.ai.embedding.model.EncoderWeights;

import org.springframework.core.io.Resource;

/**
 * The name of an encoder: that of its file without what is behind the dot, and a checksum
 * of its weights. Files of different models often have the same name, such as
 * {@code model.onnx}.
 */
final class EncoderName {

	private static final int CHUNK = 1 << 14;

	private final CRC32C sum = new CRC32C();

	private final ByteBuffer bytes = ByteBuffer.allocate(CHUNK * Float.BYTES);

	private EncoderName(EncoderWeights weights) {
		add(weights.words());
		add(weights.positions());
		add(weights.tokenType());
		add(weights.norm());
		weights.layers().forEach((layer) -> {
			add(layer.query());
			add(layer.key());
			add(layer.value());
			add(layer.attentionOutput());
			add(layer.attentionNorm());
			add(layer.intermediate());
			add(layer.output());
			add(layer.outputNorm());
		});
	}

	static String of(Resource file, EncoderWeights weights) {
		String name = Objects.requireNonNullElse(file.getFilename(), RingKernelEmbeddingModel.PROVIDER);
		int dot = name.lastIndexOf('.');
		return "%s-%08x".formatted((dot > 0) ? name.substring(0, dot) : name, new EncoderName(weights).sum.getValue());
	}

	private void add(EncoderWeights.Dense dense) {
		add(dense.weight());
		add(dense.bias());
	}

	private void add(EncoderWeights.Norm norm) {
		add(norm.weight());
		add(norm.bias());
	}

	private void add(float[] values) {
		for (int from = 0; from < values.length; from += CHUNK) {
			int count = Math.min(CHUNK, values.length - from);
			this.bytes.clear().asFloatBuffer().put(values, from, count);
			this.sum.update(this.bytes.limit(count * Float.BYTES));
		}
	}

}
