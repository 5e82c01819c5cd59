package io.ringkernel.spring.ai.storage;

/**
 * A document as it is kept.
 *
 * @param id its id
 * @param text its text
 * @param metadata its metadata as JSON
 * @since 0.2.0
 */
public record StoredDocument(String id, String text, String metadata) {
}
