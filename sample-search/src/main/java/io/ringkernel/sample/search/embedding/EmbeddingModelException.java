package io.ringkernel.sample.search.embedding;

/**
 * The embedding model does not run on this machine.
 */
public class EmbeddingModelException extends RuntimeException {

	EmbeddingModelException(String message, Throwable cause) {
		super(message, cause);
	}

}
