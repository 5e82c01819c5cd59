package io.ringkernel.spring.ai.storage;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

import org.h2.mvstore.DataUtils;
import org.h2.mvstore.WriteBuffer;
import org.h2.mvstore.type.BasicDataType;

/**
 * Writes a row as three strings in UTF-8, each behind its length, and the checksum.
 */
final class StoredRowType extends BasicDataType<StoredRow> {

	/** What a string and its share of the records take beside its characters. */
	private static final int BYTES_PER_STRING = 48;

	@Override
	public int getMemory(StoredRow row) {
		StoredDocument document = row.document();
		return 3 * BYTES_PER_STRING + document.id().length() + document.text().length() + document.metadata().length();
	}

	@Override
	public void write(WriteBuffer buffer, StoredRow row) {
		write(buffer, row.document().id());
		write(buffer, row.document().text());
		write(buffer, row.document().metadata());
		buffer.putInt(row.checksum());
	}

	private static void write(WriteBuffer buffer, String text) {
		byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
		buffer.putVarInt(bytes.length).put(bytes);
	}

	@Override
	public StoredRow read(ByteBuffer buffer) {
		StoredDocument document = new StoredDocument(text(buffer), text(buffer), text(buffer));
		return new StoredRow(document, buffer.getInt());
	}

	private static String text(ByteBuffer buffer) {
		byte[] bytes = new byte[DataUtils.readVarInt(buffer)];
		buffer.get(bytes);
		return new String(bytes, StandardCharsets.UTF_8);
	}

	@Override
	public StoredRow[] createStorage(int size) {
		return new StoredRow[size];
	}

}
