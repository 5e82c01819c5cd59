package io.ringkernel.spring.ai.index;

import java.util.Map;

/**
 * A document as it is read.
 *
 * @param id its id
 * @param text its text
 * @param metadata its metadata, to be changed at will
 * @since 0.2.0
 */
public record DocumentContent(String id, String text, Map<String, Object> metadata) {
}
