package io.ringkernel.spring.ai.embedding.model;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The graph of an ONNX model: operations, and tensors that are known before it runs.
 */
final class OnnxGraph {

	private final List<OnnxNode> nodes;

	private final Map<String, Tensor> constants;

	private final Map<String, OnnxNode> producers = new HashMap<>();

	OnnxGraph(List<OnnxNode> nodes, List<Tensor> initializers) {
		this.nodes = nodes;
		this.constants = initializers.stream()
			.collect(Collectors.toMap(Tensor::name, Function.identity(), (first, second) -> second, HashMap::new));
		for (OnnxNode node : nodes) {
			node.outputs().forEach((output) -> this.producers.put(output, node));
			Tensor value = node.tensors().get("value");
			if (node.operator().equals("Constant") && value != null) {
				this.constants.put(node.outputs().get(0), value);
			}
		}
	}

	Stream<String> names() {
		return this.constants.keySet().stream();
	}

	Optional<Tensor> constant(String name) {
		return Optional.ofNullable(this.constants.get(name));
	}

	/** The operation that makes something, if it is of a kind. */
	Optional<OnnxNode> producer(String name, String operator) {
		return Optional.ofNullable(this.producers.get(name)).filter((node) -> node.operator().equals(operator));
	}

	/** The operations of a kind that take something. */
	Stream<OnnxNode> consumers(String name, String operator) {
		return this.nodes.stream().filter((node) -> node.operator().equals(operator) && node.inputs().contains(name));
	}

	boolean uses(String operator) {
		return this.nodes.stream().anyMatch((node) -> node.operator().equals(operator));
	}

}
