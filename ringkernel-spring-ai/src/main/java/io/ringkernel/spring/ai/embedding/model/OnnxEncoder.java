package io.ringkernel.spring.ai.embedding.model;

import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * An encoder in an ONNX model: an export of a BERT model of Hugging Face, or what ONNX
 * Runtime makes of it with weights of 8 bits. Matrices have names that say nothing, so
 * each is found by the bias that is added to its product.
 */
final class OnnxEncoder implements EncoderTensors {

	private static final float[] ZERO = { 0 };

	/** Of a bias that every BERT model has. */
	private static final String FIRST = BertEncoder.layer(0, "attention.self.query.bias");

	private static final float DEFAULT_EPSILON = 1e-5f;

	private final OnnxGraph graph;

	/** What precedes the names. */
	private final String prefix;

	OnnxEncoder(OnnxGraph graph) {
		this.graph = graph;
		this.prefix = graph.names()
			.filter((name) -> name.equals(FIRST) || name.endsWith("." + FIRST))
			.map((name) -> name.substring(0, name.length() - FIRST.length()))
			.findFirst()
			.orElseThrow(() -> new InvalidEncoderException(
					"There is no weight %s, but %s. Take a BERT encoder that was exported by Hugging Face Optimum or Sentence Transformers and not optimized since."
						.formatted(FIRST, some(graph))));
		if (!graph.uses("Erf") && !graph.uses("Gelu")) {
			throw new InvalidEncoderException(
					"The activation is not GELU: there is no operator Erf or Gelu. Take a BERT encoder whose hidden_act is gelu.");
		}
	}

	private static List<String> some(OnnxGraph graph) {
		return graph.names().filter((name) -> name.endsWith(".bias")).sorted().limit(2).toList();
	}

	@Override
	public boolean has(String name) {
		return this.graph.constant(this.prefix + name).isPresent();
	}

	@Override
	public int[] dimensions(String name) {
		return stored(name).dimensions();
	}

	/** As it is stored: with its name, or quantized. */
	private Tensor stored(String name) {
		return this.graph.constant(this.prefix + name)
			.or(() -> this.graph.constant(this.prefix + name + "_quantized"))
			.orElseThrow(() -> missing(name));
	}

	@Override
	public float[] values(String name) {
		return this.graph.constant(this.prefix + name)
			.map(Tensor::elements)
			.orElseGet(() -> stored(name).dequantized(constant(this.prefix + name + "_scale"),
					zero(this.prefix + name + "_zero_point")));
	}

	@Override
	public float[] matrix(String layer) {
		String bias = this.prefix + layer + ".bias";
		String product = addition(bias).otherInput(bias);
		Optional<OnnxNode> plain = this.graph.producer(product, "MatMul");
		return plain.map((node) -> factor(layer, node.input(1))).orElseGet(() -> quantized(layer, product));
	}

	private OnnxNode addition(String bias) {
		return this.graph.consumers(bias, "Add").findFirst().orElseThrow(() -> missing(bias));
	}

	private float[] factor(String layer, String name) {
		Optional<Tensor> tensor = this.graph.constant(name);
		if (tensor.isPresent()) {
			return transposed(layer, tensor.get(), tensor.get().elements());
		}
		OnnxNode node = this.graph.producer(name, "DequantizeLinear").orElseThrow(() -> missing(layer + ".weight"));
		Tensor quantized = this.graph.constant(node.input(0)).orElseThrow(() -> missing(layer + ".weight"));
		return transposed(layer, quantized, quantized.dequantized(constant(node.input(1)), zero(node.input(2))));
	}

	/** What is multiplied as integers is scaled then: by the scales of both factors. */
	private float[] quantized(String layer, String product) {
		Supplier<InvalidEncoderException> missing = () -> missing(layer + ".weight");
		OnnxNode scaling = this.graph.producer(product, "Mul").orElseThrow(missing);
		OnnxNode cast = scaling.inputs()
			.stream()
			.flatMap((input) -> this.graph.producer(input, "Cast").stream())
			.findFirst()
			.orElseThrow(missing);
		OnnxNode node = this.graph.producer(cast.input(0), "MatMulInteger").orElseThrow(missing);
		float[] scale = this.graph.producer(scaling.otherInput(cast.outputs().get(0)), "Mul")
			.stream()
			.flatMap((scales) -> scales.inputs().stream())
			.flatMap((input) -> this.graph.constant(input).stream())
			.findFirst()
			.orElseThrow(missing)
			.elements();
		Tensor weight = this.graph.constant(node.input(1)).orElseThrow(missing);
		return transposed(layer, weight, weight.dequantized(scale, zero(node.input(3))));
	}

	private float[] constant(String name) {
		return this.graph.constant(name).orElseThrow(() -> missing(name)).elements();
	}

	private float[] zero(String name) {
		return this.graph.constant(name).map(Tensor::elements).orElse(ZERO);
	}

	/** A row for each column. */
	private static float[] transposed(String layer, Tensor tensor, float[] elements) {
		if (tensor.dimensions().length != 2) {
			throw new InvalidEncoderException("%s.weight has %d dimensions. Take a BERT encoder, where it is a matrix."
				.formatted(layer, tensor.dimensions().length));
		}
		int rows = tensor.dimensions()[0];
		int columns = tensor.dimensions()[1];
		float[] transposed = new float[elements.length];
		for (int row = 0; row < rows; row++) {
			for (int column = 0; column < columns; column++) {
				transposed[column * rows + row] = elements[row * columns + column];
			}
		}
		return transposed;
	}

	/** As the queries are reshaped: into heads. */
	@Override
	public int heads(int hidden) {
		String query = addition(this.prefix + FIRST).outputs().get(0);
		return this.graph.consumers(query, "Reshape")
			.flatMap((node) -> headSize(node.input(1)).stream())
			.filter((size) -> size > 0)
			.map((size) -> hidden / size)
			.findFirst()
			.orElseThrow(() -> new InvalidEncoderException(
					"The size of a head cannot be told: the queries are not reshaped by a constant. Take a BERT encoder that was exported by Hugging Face Optimum or Sentence Transformers and not optimized since."));
	}

	/** The last dimension of a shape. */
	private Optional<Integer> headSize(String shape) {
		return this.graph.constant(shape)
			.or(() -> this.graph.producer(shape, "Concat")
				.flatMap((node) -> this.graph.constant(node.input(node.inputs().size() - 1))))
			.map(Tensor::elements)
			.filter((elements) -> elements.length > 0)
			.map((elements) -> (int) elements[elements.length - 1]);
	}

	@Override
	public float epsilon() {
		String weight = this.prefix + BertEncoder.NORM + ".weight";
		return this.graph.consumers(weight, "LayerNormalization")
			.map((node) -> node.numbers().getOrDefault("epsilon", DEFAULT_EPSILON))
			.findFirst()
			.or(() -> this.graph.consumers(weight, "Mul").findFirst().flatMap((node) -> added(node.otherInput(weight))))
			.orElseThrow(() -> missing(BertEncoder.NORM + ".epsilon"));
	}

	/** What is added to a variance before the root of it divides. */
	private Optional<Float> added(String quotient) {
		return this.graph.producer(quotient, "Div")
			.flatMap((node) -> this.graph.producer(node.input(1), "Sqrt"))
			.flatMap((node) -> this.graph.producer(node.input(0), "Add"))
			.flatMap((node) -> node.inputs()
				.stream()
				.flatMap((input) -> this.graph.constant(input).stream())
				.map((tensor) -> tensor.elements()[0])
				.findFirst());
	}

	private static InvalidEncoderException missing(String name) {
		return new InvalidEncoderException(
				"There is no weight %s in a format that is taken. Take a BERT encoder that was exported by Hugging Face Optimum or Sentence Transformers and not optimized since."
					.formatted(name));
	}

}
