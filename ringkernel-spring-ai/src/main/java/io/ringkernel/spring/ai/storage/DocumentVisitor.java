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
	 */
	void visit(int row, StoredDocument document);

}
