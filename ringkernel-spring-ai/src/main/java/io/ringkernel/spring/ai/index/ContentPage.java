package io.ringkernel.spring.ai.index;

import java.util.List;

/**
 * Some of the documents that match a filter, in the order of their rows.
 *
 * @param documents the documents
 * @param lastRow the row behind which the next page begins
 * @param isLast whether no document follows
 * @since 0.2.0
 */
public record ContentPage(List<DocumentContent> documents, int lastRow, boolean isLast) {
}
