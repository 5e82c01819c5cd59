package io.ringkernel.message;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;

/**
 * Strings as UTF-8. A string that UTF-8 cannot express (an unpaired surrogate) is
 * invalid, bytes that are not UTF-8 are corrupt: neither is replaced silently.
 */
record StringElements(Site site) implements Elements<String> {

	private static final char REPLACEMENT = '\uFFFD';

	@Override
	public int count(String string) {
		int count = Utf8.length(string);
		if (count < 0) {
			throw this.site.invalid("has an unpaired surrogate at index " + ~count
					+ ", which UTF-8 cannot express: send well-formed text");
		}
		return count;
	}

	@Override
	public void put(String string, MessageBuffer target, int at) {
		Utf8.encode(string, target.bytes(), at);
	}

	@Override
	public String get(MessageBuffer source, int at, int count) {
		// Copied first: a writer that misbehaves may change the bytes meanwhile.
		byte[] bytes = new byte[count];
		source.get(bytes, at);
		String string = new String(bytes, StandardCharsets.UTF_8);
		if (string.indexOf(REPLACEMENT) >= 0) {
			requireWellFormed(bytes);
		}
		return string;
	}

	private void requireWellFormed(byte[] bytes) {
		try {
			StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes));
		}
		catch (CharacterCodingException ex) {
			throw this.site.corrupt("holds " + bytes.length + " bytes that are not UTF-8: " + ex.getMessage());
		}
	}

}
