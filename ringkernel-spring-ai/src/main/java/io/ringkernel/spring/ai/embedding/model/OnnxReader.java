package io.ringkernel.spring.ai.embedding.model;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import com.google.protobuf.CodedInputStream;
import com.google.protobuf.WireFormat;

/**
 * Reads the graph of an ONNX model. The numbers of fields are those of
 * {@code onnx/onnx.proto}.
 */
final class OnnxReader {

	private static final int MODEL_GRAPH = 7;

	private static final int GRAPH_NODE = 1;

	private static final int GRAPH_INITIALIZER = 5;

	private static final int NODE_INPUT = 1;

	private static final int NODE_OUTPUT = 2;

	private static final int NODE_OPERATOR = 4;

	private static final int NODE_ATTRIBUTE = 5;

	private static final int ATTRIBUTE_NAME = 1;

	private static final int ATTRIBUTE_FLOAT = 2;

	private static final int ATTRIBUTE_TENSOR = 5;

	private final CodedInputStream in;

	private final List<OnnxNode> nodes = new ArrayList<>();

	private final List<Tensor> initializers = new ArrayList<>();

	private OnnxReader(byte[] file) {
		this.in = CodedInputStream.newInstance(file);
		this.in.enableAliasing(true);
	}

	static OnnxGraph read(byte[] file) {
		OnnxReader reader = new OnnxReader(file);
		try {
			reader.message((field) -> {
				if (field == MODEL_GRAPH) {
					reader.nested(reader::graphField);
				}
				else {
					reader.skip();
				}
			});
		}
		catch (IOException ex) {
			throw new InvalidEncoderException(
					"The file is neither an ONNX model nor a safetensors file, or it is truncated: " + ex.getMessage(),
					ex);
		}
		return new OnnxGraph(reader.nodes, reader.initializers);
	}

	private void graphField(int field) throws IOException {
		switch (field) {
			case GRAPH_NODE -> this.nodes.add(node());
			case GRAPH_INITIALIZER -> tensor().ifPresent(this.initializers::add);
			default -> skip();
		}
	}

	private OnnxNode node() throws IOException {
		NodeFields node = new NodeFields();
		nested(node::field);
		return new OnnxNode(node.operator, List.copyOf(node.inputs), List.copyOf(node.outputs),
				Map.copyOf(node.numbers), Map.copyOf(node.tensors));
	}

	private Optional<Tensor> tensor() throws IOException {
		OnnxTensorFields tensor = new OnnxTensorFields(this.in);
		nested(tensor::field);
		return tensor.tensor();
	}

	private void nested(Fields fields) throws IOException {
		int limit = this.in.pushLimit(this.in.readRawVarint32());
		message(fields);
		this.in.popLimit(limit);
	}

	private void message(Fields fields) throws IOException {
		for (int tag = this.in.readTag(); tag != 0; tag = this.in.readTag()) {
			fields.read(WireFormat.getTagFieldNumber(tag));
		}
	}

	private void skip() throws IOException {
		this.in.skipField(this.in.getLastTag());
	}

	@FunctionalInterface
	private interface Fields {

		void read(int field) throws IOException;

	}

	private final class NodeFields {

		private String operator = "";

		private final List<String> inputs = new ArrayList<>();

		private final List<String> outputs = new ArrayList<>();

		private final Map<String, Float> numbers = new HashMap<>();

		private final Map<String, Tensor> tensors = new HashMap<>();

		private String attribute = "";

		void field(int field) throws IOException {
			switch (field) {
				case NODE_INPUT -> this.inputs.add(OnnxReader.this.in.readStringRequireUtf8());
				case NODE_OUTPUT -> this.outputs.add(OnnxReader.this.in.readStringRequireUtf8());
				case NODE_OPERATOR -> this.operator = OnnxReader.this.in.readStringRequireUtf8();
				case NODE_ATTRIBUTE -> nested(this::attributeField);
				default -> skip();
			}
		}

		/** The name of an attribute precedes its value. */
		private void attributeField(int field) throws IOException {
			switch (field) {
				case ATTRIBUTE_NAME -> this.attribute = OnnxReader.this.in.readStringRequireUtf8();
				case ATTRIBUTE_FLOAT -> this.numbers.put(this.attribute, OnnxReader.this.in.readFloat());
				case ATTRIBUTE_TENSOR -> tensor().ifPresent((tensor) -> this.tensors.put(this.attribute, tensor));
				default -> skip();
			}
		}

	}

}
