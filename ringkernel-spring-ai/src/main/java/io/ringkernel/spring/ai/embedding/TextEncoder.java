package io.ringkernel.spring.ai.embedding;

import java.util.List;

/** Placeholder of the same contract. */
interface TextEncoder {

	List<float[]> encode(List<int[]> tokens);

	int maxTokens();

}
