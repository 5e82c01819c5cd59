package io.ringkernel.spring.ai.embedding.model;

import java.util.List;
import java.util.Map;

/**
 * An operation of an ONNX graph, with those of its attributes that are floats or tensors.
 */
record OnnxNode(String operator, List<String> inputs, List<String> outputs, Map<String, Float> numbers,
		Map<String, Tensor> tensors) {

	/** The name of an input, or an empty one if it is left out. */
	String input(int index) {
		return (index < this.inputs.size()) ? this.inputs.get(index) : "";
	}

	String otherInput(String input) {
		return this.inputs.get(0).equals(input) ? input(1) : input(0);
	}

}
