package io.ringkernel.spring.ai.index;

import java.util.Map;

/**
 * A document that a search has found.
 *
 * @param id its id
 * @param text its text
 * @param metadata its metadata, to be changed at will
 * @param score how near it is: the more, the nearer
 * @param distance how far it is: the less, the nearer
 * @since 0.2.0
 */
public record Match(String id, String text, Map<String, Object> metadata, double score, double distance) {
}
