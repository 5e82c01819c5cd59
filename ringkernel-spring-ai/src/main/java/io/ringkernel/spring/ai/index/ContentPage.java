package io.ringkernel.spring.ai.index;

import java.util.List;

import org.springframework.ai.document.Document;

/**
 * Some of the documents that match a filter, in the order of their rows.
 *
 * @param documents the documents
 * @param lastRow the row behind which the next page begins
 * @param isLast whether no document follows
 * @since 0.2.0
 */
public record ContentPage(List<Document> documents, int lastRow, boolean isLast) {
}
