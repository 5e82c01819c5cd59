package io.ringkernel.spring.boot.autoconfigure.messaging;

import io.ringkernel.spring.messaging.RecordMessageConverter;

import org.springframework.cloud.function.context.config.MessageConverterHelper;
import org.springframework.messaging.Message;
import org.springframework.messaging.MessageHeaders;
import org.springframework.messaging.converter.MessageConversionException;

/**
 * Has Spring Cloud Function throw what the converter of this starter has thrown. By
 * itself it logs the exception and hands the bytes to the function, whose failure tells
 * nothing; a dead letter would have that for its reason.
 */
final class RefusedMessages implements MessageConverterHelper {

	@Override
	public boolean shouldFailIfCantConvert(Message<?> message, Throwable failure) {
		if (failure instanceof MessageConversionException refused && RecordMessageConverter.CONTENT_TYPE
			.equals(String.valueOf(message.getHeaders().get(MessageHeaders.CONTENT_TYPE)))) {
			throw refused;
		}
		return false;
	}

}
