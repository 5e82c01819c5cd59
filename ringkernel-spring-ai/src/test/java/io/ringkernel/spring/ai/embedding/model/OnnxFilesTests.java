package io.ringkernel.spring.ai.embedding.model;

import java.util.Arrays;

import io.ringkernel.spring.ai.embedding.RandomWeights;
import io.ringkernel.spring.ai.search.Half;
import org.assertj.core.api.ThrowableAssertAlternative;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import org.springframework.core.io.ByteArrayResource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for {@link EncoderFiles}, with files in the format of ONNX.
 */
class OnnxFilesTests {

	private static final EncoderWeights WEIGHTS = RandomWeights.of(RandomWeights.TINY);

	private static OnnxFile file(OnnxFile.Format format) {
		return new OnnxFile(WEIGHTS, format, "Erf");
	}

	private static EncoderWeights read(OnnxFile file) {
		return EncoderFiles.read(new ByteArrayResource(file.bytes(), "model.onnx"));
	}

	private static ThrowableAssertAlternative<InvalidEncoderException> refused(OnnxFile file) {
		return assertThatExceptionOfType(InvalidEncoderException.class).isThrownBy(() -> read(file))
			.withMessageContaining("model.onnx")
			.withMessageContaining("Take a ");
	}

	@ParameterizedTest
	@EnumSource(names = { "RAW_FLOATS", "PACKED_FLOATS" })
	void readsFloats(OnnxFile.Format format) {
		// Element by element, it would take half a minute.
		assertThat(read(file(format))).usingRecursiveComparison()
			.withEqualsForType(Arrays::equals, float[].class)
			.isEqualTo(WEIGHTS);
	}

	@Test
	void readsHalves() {
		EncoderWeights read = read(file(OnnxFile.Format.HALVES));
		assertThat(read.shape()).isEqualTo(WEIGHTS.shape());
		float[] expected = WEIGHTS.layers().get(0).output().weight().clone();
		for (int i = 0; i < expected.length; i++) {
			expected[i] = Half.round(expected[i]);
		}
		assertThat(read.layers().get(0).output().weight()).isEqualTo(expected);
	}

	@Test
	void refusesWeightsInAnotherFile() {
		refused(file(OnnxFile.Format.RAW_FLOATS).external("embeddings.LayerNorm.bias"))
			.withMessageContaining("embeddings.LayerNorm.bias is in another file");
	}

	@Test
	void refusesFloatsAsIntegers() {
		refused(file(OnnxFile.Format.RAW_FLOATS).integers("embeddings.LayerNorm.bias"))
			.withMessageContaining("embeddings.LayerNorm.bias has floats, but stores them as integers");
	}

	@Test
	void refusesRoberta() {
		refused(file(OnnxFile.Format.RAW_FLOATS).table("embeddings.token_type_embeddings.weight", new float[384]))
			.withMessageContaining("embeddings.token_type_embeddings.weight has 1 rows, as in RoBERTa");
	}

	@Test
	void refusesRelativePositions() {
		refused(file(OnnxFile.Format.RAW_FLOATS).table("encoder.layer.0.attention.self.distance_embedding.weight",
				new float[384]))
			.withMessageContaining("encoder.layer.0.attention.self.distance_embedding.weight is there");
	}

	@Test
	void refusesAnotherActivation() {
		refused(new OnnxFile(WEIGHTS, OnnxFile.Format.RAW_FLOATS, "Relu"))
			.withMessageContaining("no operator Erf or Gelu");
	}

	@Test
	void refusesAnotherArchitecture() {
		refused(file(OnnxFile.Format.RAW_FLOATS).without("encoder.layer.0.attention.self.query.bias"))
			.withMessageContaining("There is no weight encoder.layer.0.attention.self.query.bias");
	}

	@Test
	void refusesAModelWithoutAMatrix() {
		refused(file(OnnxFile.Format.RAW_FLOATS).without("onnx::MatMul_4"))
			.withMessageContaining("There is no weight encoder.layer.0.intermediate.dense.weight");
	}

}
