package io.ringkernel.spring.ai;

import java.util.List;

import io.ringkernel.spring.ai.index.ContentPage;
import org.jspecify.annotations.Nullable;

import org.springframework.ai.document.Document;

/**
 * Some of the documents that a vector store lists.
 *
 * @param documents the documents
 * @param next the cursor of the next page; {@code null} if this is the last one
 * @since 0.2.0
 */
public record DocumentPage(List<Document> documents, @Nullable String next) {

	static DocumentPage of(ContentPage page) {
		return new DocumentPage(List.copyOf(page.documents()), page.isLast() ? null : String.valueOf(page.lastRow()));
	}

}
