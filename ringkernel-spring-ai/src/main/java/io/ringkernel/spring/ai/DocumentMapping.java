package io.ringkernel.spring.ai;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import io.ringkernel.spring.ai.index.DocumentIndex;
import io.ringkernel.spring.ai.index.IndexedDocument;

import org.springframework.ai.document.Document;
import org.springframework.ai.vectorstore.SearchRequest;

/**
 * Documents of Spring AI as the index has them, and the other way round.
 */
final class DocumentMapping {

	private DocumentMapping() {
	}

	/** The documents that are stored: of several with the same id the last one. */
	static List<Document> distinct(List<Document> documents) {
		return positions(documents).map(documents::get).toList();
	}

	static List<IndexedDocument> indexed(List<Document> documents, List<float[]> vectors) {
		return positions(documents).map((i) -> indexed(documents.get(i), vectors.get(i))).toList();
	}

	private static Stream<Integer> positions(List<Document> documents) {
		Map<String, Integer> positions = new LinkedHashMap<>();
		IntStream.range(0, documents.size()).forEach((i) -> positions.put(documents.get(i).getId(), i));
		return positions.values().stream();
	}

	private static IndexedDocument indexed(Document document, float[] vector) {
		String text = document.getText();
		if (text == null) {
			throw new IllegalArgumentException(
					"The document '%s' has media, which the store cannot keep. Add a document with a text that describes them, and keep their address in its metadata."
						.formatted(document.getId()));
		}
		return new IndexedDocument(document.getId(), text, document.getMetadata(), vector);
	}

	static List<Document> search(DocumentIndex index, float[] query, SearchRequest request) {
		double threshold = request.getSimilarityThreshold();
		double minScore = (threshold == SearchRequest.SIMILARITY_THRESHOLD_ACCEPT_ALL) ? Double.NEGATIVE_INFINITY
				: threshold;
		return List.copyOf(index.search(query, request.getTopK(), minScore, request.getFilterExpression()));
	}

}
