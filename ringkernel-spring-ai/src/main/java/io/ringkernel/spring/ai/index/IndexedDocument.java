package io.ringkernel.spring.ai.index;

import java.util.Map;

/**
 * A document as it is added.
 *
 * @param id its id
 * @param text its text
 * @param metadata its metadata
 * @param vector its vector, as it was embedded
 * @since 0.2.0
 */
public record IndexedDocument(String id, String text, Map<String, Object> metadata, float[] vector) {
}
