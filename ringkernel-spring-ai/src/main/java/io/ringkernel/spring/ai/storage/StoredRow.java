package io.ringkernel.spring.ai.storage;

/**
 * What a row holds: a document, and the {@linkplain VectorChecksum checksum} that ties
 * the vector of the row to it.
 *
 * @param document the document
 * @param checksum of its vector
 */
record StoredRow(StoredDocument document, int checksum) {
}
