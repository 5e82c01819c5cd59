package io.ringkernel.spring.ai.embedding.model;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import com.google.protobuf.CodedOutputStream;
import io.ringkernel.spring.ai.search.Half;

/**
 * An ONNX file of a BERT encoder with one layer, as Hugging Face exports it. The numbers
 * of fields are those of {@code onnx/onnx.proto}.
 */
final class OnnxFile {

	private static final List<String> DENSE = List.of("attention.self.query", "attention.self.key",
			"attention.self.value", "attention.output.dense", "intermediate.dense", "output.dense");

	/** By their names, each one written. */
	private final Map<String, byte[]> tensors = new LinkedHashMap<>();

	private final ByteArrayOutputStream nodes = new ByteArrayOutputStream();

	private final Format format;

	OnnxFile(EncoderWeights weights, Format format, String activation) {
		this.format = format;
		table("embeddings.word_embeddings.weight", weights.words());
		table("embeddings.position_embeddings.weight", weights.positions());
		float[] types = new float[2 * 384];
		System.arraycopy(weights.tokenType(), 0, types, 0, 384);
		table("embeddings.token_type_embeddings.weight", types);
		norm("embeddings.LayerNorm", weights.norm());
		EncoderWeights.Layer layer = weights.layers().get(0);
		List<EncoderWeights.Dense> dense = List.of(layer.query(), layer.key(), layer.value(), layer.attentionOutput(),
				layer.intermediate(), layer.output());
		for (int i = 0; i < dense.size(); i++) {
			dense("encoder.layer.0." + DENSE.get(i), "onnx::MatMul_" + i, dense.get(i));
		}
		norm("encoder.layer.0.attention.output.LayerNorm", layer.attentionNorm());
		norm("encoder.layer.0.output.LayerNorm", layer.outputNorm());
		this.tensors.put("heads", tensor("heads", List.of(4), 7, 9, longs(0, 0, 12, 32)));
		node("Reshape", List.of("encoder.layer.0.attention.self.query_sum", "heads"), "reshaped", null);
		node("LayerNormalization", List.of("x", "embeddings.LayerNorm.weight", "embeddings.LayerNorm.bias"), "y",
				weights.shape().epsilon());
		node(activation, List.of("a"), "b", null);
	}

	private void dense(String name, String matrix, EncoderWeights.Dense dense) {
		int columns = dense.bias().length;
		int rows = dense.weight().length / columns;
		float[] transposed = new float[dense.weight().length];
		for (int i = 0; i < transposed.length; i++) {
			transposed[i] = dense.weight()[i % columns * rows + i / columns];
		}
		put(matrix, List.of(rows, columns), transposed);
		put(name + ".bias", List.of(columns), dense.bias());
		node("MatMul", List.of("x", matrix), name + "_product", null);
		node("Add", List.of(name + ".bias", name + "_product"), name + "_sum", null);
	}

	private void norm(String name, EncoderWeights.Norm norm) {
		put(name + ".weight", List.of(384), norm.weight());
		put(name + ".bias", List.of(384), norm.bias());
	}

	OnnxFile table(String name, float[] elements) {
		put(name, List.of(elements.length / 384, 384), elements);
		return this;
	}

	OnnxFile without(String name) {
		this.tensors.remove(name);
		return this;
	}

	/** Has a tensor in another file. */
	OnnxFile external(String name) {
		this.tensors.put(name, message((out) -> {
			out.writeInt64(1, 384);
			out.writeInt32(2, 1);
			out.writeString(8, name);
			out.writeByteArray(13, message((entry) -> {
				entry.writeString(1, "location");
				entry.writeString(2, "model.onnx_data");
			}));
			out.writeEnum(14, 1);
		}));
		return this;
	}

	/** Has the elements of a tensor of floats as integers. */
	OnnxFile integers(String name) {
		this.tensors.put(name, tensor(name, List.of(384), 1, 5, new byte[384]));
		return this;
	}

	byte[] bytes() {
		return message((model) -> model.writeByteArray(7, message((graph) -> {
			graph.writeRawBytes(this.nodes.toByteArray());
			for (byte[] tensor : this.tensors.values()) {
				graph.writeByteArray(5, tensor);
			}
		})));
	}

	private void put(String name, List<Integer> dimensions, float[] elements) {
		ByteBuffer data = ByteBuffer.allocate(elements.length * Float.BYTES).order(ByteOrder.LITTLE_ENDIAN);
		for (float element : elements) {
			if (this.format == Format.HALVES) {
				data.putShort((short) Half.bits(element));
			}
			else {
				data.putFloat(element);
			}
		}
		byte[] bytes = new byte[data.position()];
		data.flip().get(bytes);
		this.tensors.put(name, tensor(name, dimensions, (this.format == Format.HALVES) ? 10 : 1,
				(this.format == Format.PACKED_FLOATS) ? 4 : 9, bytes));
	}

	private static byte[] tensor(String name, List<Integer> dimensions, int type, int field, byte[] data) {
		return message((out) -> {
			for (int dimension : dimensions) {
				out.writeInt64(1, dimension);
			}
			out.writeInt32(2, type);
			out.writeString(8, name);
			out.writeByteArray(field, data);
		});
	}

	private static byte[] longs(long... values) {
		ByteBuffer data = ByteBuffer.allocate(values.length * Long.BYTES).order(ByteOrder.LITTLE_ENDIAN);
		for (long value : values) {
			data.putLong(value);
		}
		return data.array();
	}

	private void node(String operator, List<String> inputs, String output, Float epsilon) {
		byte[] node = message((out) -> {
			for (String input : inputs) {
				out.writeString(1, input);
			}
			out.writeString(2, output);
			out.writeString(4, operator);
			if (epsilon != null) {
				out.writeByteArray(5, message((attribute) -> {
					attribute.writeString(1, "epsilon");
					attribute.writeFloat(2, epsilon);
				}));
			}
		});
		this.nodes.writeBytes(message((out) -> out.writeByteArray(1, node)));
	}

	private static byte[] message(Fields fields) {
		ByteArrayOutputStream bytes = new ByteArrayOutputStream();
		CodedOutputStream out = CodedOutputStream.newInstance(bytes);
		try {
			fields.write(out);
			out.flush();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
		return bytes.toByteArray();
	}

	enum Format {

		RAW_FLOATS, PACKED_FLOATS, HALVES

	}

	@FunctionalInterface
	private interface Fields {

		void write(CodedOutputStream out) throws IOException;

	}

}
