package io.ringkernel.spring.ai.index;

import java.io.OutputStream;
import java.io.UncheckedIOException;

import io.ringkernel.spring.ai.storage.StorageSnapshot;
import io.ringkernel.spring.ai.storage.StoredDocument;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.ObjectWriteContext;
import tools.jackson.core.StreamWriteFeature;
import tools.jackson.core.exc.JacksonIOException;
import tools.jackson.core.json.JsonFactory;

/**
 * Writes documents as lines of JSON, each an object with {@code id}, {@code text},
 * {@code metadata} and {@code vector}.
 *
 * @since 0.2.0
 */
public final class DocumentExport {

	private static final JsonFactory JSON = JsonFactory.builder()
		.disable(StreamWriteFeature.AUTO_CLOSE_TARGET)
		.rootValueSeparator("\n")
		.build();

	private DocumentExport() {
	}

	/**
	 * Writes all documents of a snapshot.
	 * @param documents the documents
	 * @param target what they are written to in UTF-8; it is not closed
	 * @return how many there are
	 * @throws UncheckedIOException if they cannot be written
	 */
	public static int write(StorageSnapshot documents, OutputStream target) {
		try (JsonGenerator json = JSON.createGenerator(ObjectWriteContext.empty(), target)) {
			int count = documents.forEach((document, vector) -> write(document, vector, json));
			if (count > 0) {
				json.writeRaw('\n');
			}
			return count;
		}
		catch (JacksonIOException ex) {
			throw new UncheckedIOException(ex.getCause());
		}
	}

	/** Metadata are stored as they are written here. */
	private static void write(StoredDocument document, float[] vector, JsonGenerator json) {
		json.writeStartObject();
		json.writeStringProperty("id", document.id());
		json.writeStringProperty("text", document.text());
		json.writeName("metadata");
		json.writeRawValue(document.metadata());
		json.writeArrayPropertyStart("vector");
		for (float element : vector) {
			json.writeNumber(element);
		}
		json.writeEndArray();
		json.writeEndObject();
	}

}
