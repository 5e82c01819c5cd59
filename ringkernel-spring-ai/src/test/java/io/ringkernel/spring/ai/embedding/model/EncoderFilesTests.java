package io.ringkernel.spring.ai.embedding.model;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;

import io.ringkernel.spring.ai.embedding.RandomWeights;
import io.ringkernel.spring.ai.search.Half;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import org.springframework.core.io.FileSystemResource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for {@link EncoderFiles}, with files in the format of safetensors.
 */
class EncoderFilesTests {

	private static final String CONFIG = """
			{"model_type": "bert", "hidden_act": "gelu", "num_attention_heads": 12, "layer_norm_eps": 1e-12}
			""";

	private static final EncoderWeights WEIGHTS = RandomWeights.of(RandomWeights.TINY);

	@TempDir
	private Path directory;

	private final Map<String, float[]> tensors = new LinkedHashMap<>();

	private final Map<String, String> shapes = new LinkedHashMap<>();

	@BeforeEach
	void name() {
		matrix("embeddings.word_embeddings.weight", WEIGHTS.words());
		matrix("embeddings.position_embeddings.weight", WEIGHTS.positions());
		float[] types = new float[2 * 384];
		System.arraycopy(WEIGHTS.tokenType(), 0, types, 0, 384);
		matrix("embeddings.token_type_embeddings.weight", types);
		norm("embeddings.LayerNorm", WEIGHTS.norm());
		EncoderWeights.Layer layer = WEIGHTS.layers().get(0);
		dense("attention.self.query", layer.query());
		dense("attention.self.key", layer.key());
		dense("attention.self.value", layer.value());
		dense("attention.output.dense", layer.attentionOutput());
		norm("encoder.layer.0.attention.output.LayerNorm", layer.attentionNorm());
		dense("intermediate.dense", layer.intermediate());
		dense("output.dense", layer.output());
		norm("encoder.layer.0.output.LayerNorm", layer.outputNorm());
	}

	private void matrix(String name, float[] elements) {
		tensor(name, elements, "[%d,384]".formatted(elements.length / 384));
	}

	private void tensor(String name, float[] elements, String shape) {
		this.tensors.put(name, elements);
		this.shapes.put(name, shape);
	}

	private void norm(String name, EncoderWeights.Norm norm) {
		tensor(name + ".weight", norm.weight(), "[384]");
		tensor(name + ".bias", norm.bias(), "[384]");
	}

	private void dense(String part, EncoderWeights.Dense dense) {
		int columns = dense.bias().length;
		tensor("encoder.layer.0." + part + ".weight", dense.weight(),
				"[%d,%d]".formatted(columns, dense.weight().length / columns));
		tensor("encoder.layer.0." + part + ".bias", dense.bias(), "[%d]".formatted(columns));
	}

	private EncoderWeights read(String type, String config) throws IOException {
		int width = type.equals("F32") ? Float.BYTES : Short.BYTES;
		StringBuilder header = new StringBuilder("{");
		int size = 0;
		for (Map.Entry<String, float[]> tensor : this.tensors.entrySet()) {
			int end = size + width * tensor.getValue().length;
			header.append((size == 0) ? "" : ",")
				.append("\"%s\":{\"dtype\":\"%s\",\"shape\":%s,\"data_offsets\":[%d,%d]}".formatted(tensor.getKey(),
						type, this.shapes.get(tensor.getKey()), size, end));
			size = end;
		}
		byte[] text = header.append("}").toString().getBytes(StandardCharsets.UTF_8);
		ByteBuffer file = ByteBuffer.allocate(Long.BYTES + text.length + size).order(ByteOrder.LITTLE_ENDIAN);
		file.putLong(text.length).put(text);
		for (float[] elements : this.tensors.values()) {
			for (float element : elements) {
				switch (type) {
					case "F32" -> file.putFloat(element);
					case "F16" -> file.putShort((short) Half.bits(element));
					default -> file.putShort((short) (Float.floatToRawIntBits(element) >>> Short.SIZE));
				}
			}
		}
		Files.write(this.directory.resolve("model.safetensors"), file.array());
		Files.writeString(this.directory.resolve("config.json"), config);
		return EncoderFiles.read(new FileSystemResource(this.directory.resolve("model.safetensors")));
	}

	@Test
	void readsFloats() throws IOException {
		// Element by element, it would take half a minute.
		assertThat(read("F32", CONFIG)).usingRecursiveComparison()
			.withEqualsForType(Arrays::equals, float[].class)
			.isEqualTo(WEIGHTS);
	}

	@Test
	void readsHalves() throws IOException {
		EncoderWeights read = read("F16", CONFIG);
		float[] elements = WEIGHTS.layers().get(0).output().weight();
		for (int i = 0; i < elements.length; i++) {
			assertThat(read.layers().get(0).output().weight()[i]).isEqualTo(Half.round(elements[i]));
		}
	}

	@Test
	void readsShortenedFloats() throws IOException {
		EncoderWeights read = read("BF16", CONFIG);
		for (int i = 0; i < WEIGHTS.words().length; i++) {
			assertThat(Float.floatToRawIntBits(read.words()[i]))
				.isEqualTo(Float.floatToRawIntBits(WEIGHTS.words()[i]) & 0xffff0000);
		}
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', value = { "\"bert\" | \"roberta\" | model_type of config.json is 'roberta'",
			"\"gelu\" | \"relu\" | hidden_act of config.json is 'relu'", "12, | 6, | heads is 6" })
	void refusesOtherModels(String part, String other, String message) {
		assertThatExceptionOfType(InvalidEncoderException.class)
			.isThrownBy(() -> read("F32", CONFIG.replace(part, other)))
			.withMessageContaining("model.safetensors")
			.withMessageContaining(message)
			.withMessageContaining("Take a ");
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', value = { "[\"x\",384]", "[99999999999,384]", "[2147483647,2147483647]", "[]" })
	void refusesShapesThatNoModelHas(String shape) {
		this.shapes.put("embeddings.word_embeddings.weight", shape);
		assertThatExceptionOfType(InvalidEncoderException.class).isThrownBy(() -> read("F32", CONFIG))
			.withMessageContaining("model.safetensors");
	}

	@Test
	void refusesAModelWithoutAWeight() {
		this.tensors.remove("encoder.layer.0.output.dense.bias");
		assertThatExceptionOfType(InvalidEncoderException.class).isThrownBy(() -> read("F32", CONFIG))
			.withMessageContaining("encoder.layer.0.output.dense.bias");
	}

}
