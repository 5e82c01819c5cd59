package io.ringkernel.spring.ai.storage;

/**
 * Is told of stored documents.
 *
 * @since 0.2.0
 */
@FunctionalInterface
public interface DocumentVisitor {

	/**
	 * Visits a document.
	 * @param row its row
	 * @param document the document
	 * @param vector reads its vector
	 */
	void visit(int row, StoredDocument document, StoredVector vector);

	/**
	 * The vector of a document that is visited.
	 *
	 * @since 0.2.0
	 */
	@FunctionalInterface
	interface StoredVector {

		/**
		 * Reads the vector, as it was embedded. Nothing may be changed meanwhile.
		 * @param target what it is written to
		 * @param offset where in there it begins
		 * @throws StorageException if it cannot be read, or is damaged
		 */
		void read(float[] target, int offset);

	}

}
