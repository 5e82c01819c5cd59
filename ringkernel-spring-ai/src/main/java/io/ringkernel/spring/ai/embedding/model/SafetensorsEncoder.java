package io.ringkernel.spring.ai.embedding.model;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * An encoder in a safetensors file: the length of a header, the header in JSON, and the
 * elements of all tensors. What its weights do not tell is in the {@code config.json}
 * beside it.
 */
final class SafetensorsEncoder implements EncoderTensors {

	private static final JsonMapper JSON = JsonMapper.builder().build();

	private static final String METADATA = "__metadata__";

	private final Map<String, Tensor> tensors = new HashMap<>();

	private final JsonNode config;

	/** What precedes the names. */
	private final String prefix;

	SafetensorsEncoder(byte[] file, byte[] config) {
		this.config = json(config, 0, config.length, "config.json");
		expect("model_type", "bert");
		expect("hidden_act", "gelu");
		expect("position_embedding_type", "absolute");
		ByteBuffer bytes = ByteBuffer.wrap(file).order(ByteOrder.LITTLE_ENDIAN);
		int length = headerLength(file)
			.orElseThrow(() -> new InvalidEncoderException("The file is no safetensors file."));
		JsonNode header = json(file, Long.BYTES, length, "The header of the safetensors file");
		int data = Long.BYTES + length;
		header.properties().stream().filter((entry) -> !entry.getKey().equals(METADATA)).forEach((entry) -> {
			JsonNode offsets = entry.getValue().path("data_offsets");
			tensor(entry.getKey(), entry.getValue(), bytes, data + offsets.path(0).asLong(-1),
					data + offsets.path(1).asLong(-1));
		});
		this.prefix = this.tensors.keySet()
			.stream()
			.filter((name) -> name.equals(BertEncoder.WORDS) || name.endsWith("." + BertEncoder.WORDS))
			.map((name) -> name.substring(0, name.length() - BertEncoder.WORDS.length()))
			.findFirst()
			.orElseThrow(() -> missing(BertEncoder.WORDS));
	}

	/** The length of the header, if the file begins as such a file does. */
	static Optional<Integer> headerLength(byte[] file) {
		if (file.length <= Long.BYTES || file[Long.BYTES] != '{') {
			return Optional.empty();
		}
		long length = ByteBuffer.wrap(file).order(ByteOrder.LITTLE_ENDIAN).getLong();
		return (length > 0 && length <= file.length - Long.BYTES) ? Optional.of((int) length) : Optional.empty();
	}

	private static JsonNode json(byte[] file, int from, int length, String what) {
		try {
			return JSON.readTree(file, from, length);
		}
		catch (JacksonException ex) {
			throw new InvalidEncoderException("%s is no JSON: %s".formatted(what, ex.getOriginalMessage()), ex);
		}
	}

	private void expect(String field, String expected) {
		String value = this.config.path(field).asString(expected);
		if (!value.equals(expected)) {
			throw new InvalidEncoderException("%s of config.json is '%s'. Take a BERT encoder where it is '%s'."
				.formatted(field, value, expected));
		}
	}

	private void tensor(String name, JsonNode entry, ByteBuffer file, long from, long to) {
		ElementFormat format = format(entry.path("dtype").asString(""));
		if (format == null) {
			return;
		}
		if (from < 0 || to < from || to > file.limit()) {
			throw new InvalidEncoderException("%s ends at byte %d, and the file has %d bytes; it may be truncated."
				.formatted(name, to, file.limit()));
		}
		int[] dimensions = entry.path("shape").valueStream().mapToInt(JsonNode::asInt).toArray();
		this.tensors.put(current(name),
				new Tensor(name, dimensions, format, file.slice((int) from, (int) (to - from))));
	}

	/** Files of older models name normalizations as TensorFlow does. */
	private static String current(String name) {
		return name.replaceAll("LayerNorm\\.gamma$", "LayerNorm.weight")
			.replaceAll("LayerNorm\\.beta$", "LayerNorm.bias");
	}

	private static @Nullable ElementFormat format(String name) {
		return switch (name) {
			case "F32" -> ElementFormat.FLOAT32;
			case "F16" -> ElementFormat.FLOAT16;
			case "BF16" -> ElementFormat.BFLOAT16;
			default -> null;
		};
	}

	@Override
	public boolean has(String name) {
		return this.tensors.containsKey(this.prefix + name);
	}

	@Override
	public int[] dimensions(String name) {
		return tensor(name).dimensions();
	}

	@Override
	public float[] values(String name) {
		return tensor(name).elements();
	}

	@Override
	public float[] matrix(String layer) {
		return values(layer + ".weight");
	}

	private Tensor tensor(String name) {
		Tensor tensor = this.tensors.get(this.prefix + name);
		if (tensor == null) {
			throw missing(name);
		}
		return tensor;
	}

	@Override
	public int heads(int hidden) {
		return number("num_attention_heads").asInt(0);
	}

	@Override
	public float epsilon() {
		return number("layer_norm_eps").asFloat(0);
	}

	private JsonNode number(String field) {
		JsonNode value = this.config.path(field);
		if (!value.isNumber()) {
			throw new InvalidEncoderException(
					"%s of config.json is no number. Take the config.json of the model.".formatted(field));
		}
		return value;
	}

	private InvalidEncoderException missing(String name) {
		return new InvalidEncoderException(
				"There is no weight %s of type F32, F16 or BF16, but %s. Take a BERT encoder of Hugging Face."
					.formatted(name, Arrays.toString(this.tensors.keySet().stream().sorted().limit(2).toArray())));
	}

}
