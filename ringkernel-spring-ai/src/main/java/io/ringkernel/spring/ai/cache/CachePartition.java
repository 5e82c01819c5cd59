package io.ringkernel.spring.ai.cache;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;

import org.springframework.ai.chat.client.ChatClientAttributes;
import org.springframework.ai.chat.client.ChatClientRequest;
import org.springframework.ai.chat.messages.Message;
import org.springframework.ai.chat.prompt.ChatOptions;

/**
 * Which questions may share an answer: those of the same scope, to the same model, after
 * the same messages, for an answer of the same format.
 */
final class CachePartition {

	/** The client adds what they say to the question behind all advisors. */
	private static final List<ChatClientAttributes> FORMAT = List.of(ChatClientAttributes.OUTPUT_FORMAT,
			ChatClientAttributes.STRUCTURED_OUTPUT_SCHEMA);

	private CachePartition() {
	}

	/** Names the partition of a request, whose last message is the question. */
	static String of(String scope, ChatClientRequest request) {
		MessageDigest digest = sha256();
		add(digest, scope);
		ChatOptions options = request.prompt().getOptions();
		add(digest, (options != null) ? String.valueOf(options.getModel()) : "");
		FORMAT.forEach((attribute) -> add(digest, String.valueOf(request.context().get(attribute.getKey()))));
		List<Message> messages = request.prompt().getInstructions();
		for (Message message : messages.subList(0, messages.size() - 1)) {
			add(digest, message.getMessageType().getValue());
			add(digest, String.valueOf(message.getText()));
		}
		return HexFormat.of().formatHex(digest.digest());
	}

	/** With its length before it, so that no two lists of parts are the same bytes. */
	private static void add(MessageDigest digest, String part) {
		byte[] bytes = part.getBytes(StandardCharsets.UTF_8);
		digest.update((bytes.length + ":").getBytes(StandardCharsets.UTF_8));
		digest.update(bytes);
	}

	private static MessageDigest sha256() {
		try {
			return MessageDigest.getInstance("SHA-256");
		}
		catch (NoSuchAlgorithmException ex) {
			throw new IllegalStateException("Every Java platform has SHA-256", ex);
		}
	}

}
