package io.ringkernel.spring.ai.autoconfigure;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

import io.ringkernel.spring.ai.embedding.RandomWeights;
import io.ringkernel.spring.ai.embedding.model.EncoderWeights;
import org.junit.jupiter.api.Test;

import org.springframework.core.io.ByteArrayResource;
import org.springframework.core.io.FileSystemResource;
import org.springframework.core.io.Resource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link EncoderName}.
 */
class EncoderNameTests {

	private static final Resource FILE = new FileSystemResource("a/model.safetensors");

	private final EncoderWeights weights = RandomWeights.of(RandomWeights.TINY);

	@Test
	void isThatOfTheFileAndTheWeights() {
		assertThat(EncoderName.of(FILE, this.weights)).matches("model-[0-9a-f]{8}")
			.isEqualTo(EncoderName.of(new FileSystemResource("model.onnx"), RandomWeights.of(RandomWeights.TINY)));
		assertThat(EncoderName.of(new ByteArrayResource(new byte[0]), this.weights)).startsWith("ringkernel-");
	}

	@Test
	void filesOfTheSameNameWithOtherWeightsHaveOtherNames() {
		List<float[]> arrays = new ArrayList<>(
				List.of(this.weights.words(), this.weights.positions(), this.weights.tokenType()));
		EncoderWeights.Layer layer = this.weights.layers().get(0);
		for (EncoderWeights.Dense dense : List.of(layer.query(), layer.key(), layer.value(), layer.attentionOutput(),
				layer.intermediate(), layer.output())) {
			arrays.addAll(List.of(dense.weight(), dense.bias()));
		}
		for (EncoderWeights.Norm norm : List.of(this.weights.norm(), layer.attentionNorm(), layer.outputNorm())) {
			arrays.addAll(List.of(norm.weight(), norm.bias()));
		}
		Set<String> names = new TreeSet<>(Set.of(EncoderName.of(FILE, this.weights)));
		for (float[] array : arrays) {
			array[array.length - 1]++;
			names.add(EncoderName.of(new FileSystemResource("b/model.safetensors"), this.weights));
		}
		assertThat(names).hasSize(arrays.size() + 1);
	}

}
