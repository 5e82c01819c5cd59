package io.ringkernel.spring.ai.storage;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

import org.h2.mvstore.DataUtils;
import org.h2.mvstore.WriteBuffer;
import org.h2.mvstore.type.BasicDataType;

/**
 * Writes a document as three strings in UTF-8, each behind its length.
 */
final class StoredDocumentType extends BasicDataType<StoredDocument> {

	/** What a string and its share of the record take beside its characters. */
	private static final int BYTES_PER_STRING = 48;

	@Override
	public int getMemory(StoredDocument document) {
		return 3 * BYTES_PER_STRING + document.id().length() + document.text().length() + document.metadata().length();
	}

	@Override
	public void write(WriteBuffer buffer, StoredDocument document) {
		write(buffer, document.id());
		write(buffer, document.text());
		write(buffer, document.metadata());
	}

	private static void write(WriteBuffer buffer, String text) {
		byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
		buffer.putVarInt(bytes.length).put(bytes);
	}

	@Override
	public StoredDocument read(ByteBuffer buffer) {
		return new StoredDocument(text(buffer), text(buffer), text(buffer));
	}

	private static String text(ByteBuffer buffer) {
		byte[] bytes = new byte[DataUtils.readVarInt(buffer)];
		buffer.get(bytes);
		return new String(bytes, StandardCharsets.UTF_8);
	}

	@Override
	public StoredDocument[] createStorage(int size) {
		return new StoredDocument[size];
	}

}
