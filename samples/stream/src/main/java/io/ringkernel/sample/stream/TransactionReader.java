package io.ringkernel.sample.stream;

import java.nio.charset.StandardCharsets;

import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.stereotype.Component;

/**
 * Reads transactions, and refuses those that cannot be scored.
 */
@Component
class TransactionReader {

	private final JsonMapper json;

	TransactionReader(JsonMapper json) {
		this.json = json;
	}

	/**
	 * Reads a transaction.
	 * @throws UnscorableException if it is none, or a value is out of its range
	 */
	CardTransaction read(ReceivedRecord received) throws UnscorableException {
		CardTransaction transaction = parse(received.value());
		require(transaction.card() > 0, "card", transaction.card(), "above 0");
		require(isKey(received.key(), transaction.card()), "card", transaction.card(), "the key of the record");
		require(transaction.amount() > 0 && transaction.amount() <= Float.MAX_VALUE, "amount", transaction.amount(),
				"finite and above 0");
		require(Math.abs(transaction.latitude()) <= 90, "latitude", transaction.latitude(), "between -90 and 90");
		require(Math.abs(transaction.longitude()) <= 180, "longitude", transaction.longitude(), "between -180 and 180");
		return transaction;
	}

	private CardTransaction parse(byte @Nullable [] value) throws UnscorableException {
		if (value == null) {
			throw new UnscorableException("The record has no value.");
		}
		try {
			@Nullable CardTransaction transaction = this.json.readValue(value, CardTransaction.class);
			if (transaction != null) {
				return transaction;
			}
		}
		catch (JacksonException ex) {
			throw new UnscorableException("The value is no transaction: " + ex.getOriginalMessage(), ex);
		}
		throw new UnscorableException("The value is no transaction: null");
	}

	/**
	 * A record with another key may lie in another partition than the features of its
	 * card.
	 */
	private static boolean isKey(byte @Nullable [] key, long card) {
		return key != null && new String(key, StandardCharsets.US_ASCII).equals(Long.toString(card));
	}

	private static void require(boolean holds, String name, Object value, String expected) throws UnscorableException {
		if (!holds) {
			throw new UnscorableException("%s is %s; it must be %s.".formatted(name, value, expected));
		}
	}

}
