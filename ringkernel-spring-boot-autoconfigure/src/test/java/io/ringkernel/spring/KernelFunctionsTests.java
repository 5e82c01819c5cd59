package io.ringkernel.spring;

import java.util.List;
import java.util.Map;
import java.util.function.Function;

import io.ringkernel.spring.Kernels.Number;
import io.ringkernel.spring.Kernels.Text;
import io.ringkernel.spring.Kernels.TwiceAndRepeat;
import io.ringkernel.spring.boot.autoconfigure.DisabledRingKernelAutoConfiguration;
import io.ringkernel.spring.boot.autoconfigure.RingKernelAutoConfiguration;
import io.ringkernel.spring.boot.autoconfigure.messaging.RingKernelMessagingAutoConfiguration;
import io.ringkernel.spring.messaging.LayoutMismatchException;
import io.ringkernel.spring.messaging.RecordMessageConverter;
import org.junit.jupiter.api.Test;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.cloud.function.context.FunctionCatalog;
import org.springframework.cloud.function.context.config.ContextFunctionCatalogAutoConfiguration;
import org.springframework.messaging.Message;
import org.springframework.messaging.MessageHeaders;
import org.springframework.messaging.converter.MessageConversionException;
import org.springframework.messaging.support.MessageBuilder;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for kernels as functions, as Spring Cloud Function finds them.
 */
class KernelFunctionsTests {

	private final ApplicationContextRunner runner = new ApplicationContextRunner()
		.withConfiguration(
				AutoConfigurations.of(RingKernelAutoConfiguration.class, DisabledRingKernelAutoConfiguration.class,
						RingKernelMessagingAutoConfiguration.class, ContextFunctionCatalogAutoConfiguration.class))
		.withUserConfiguration(TwiceAndRepeat.class);

	@Test
	void thereAreNoneByDefault() {
		this.runner.run((context) -> assertThat(context).doesNotHaveBean("twice-function")
			.doesNotHaveBean("twice-batch-function"));
	}

	@Test
	void aRequestBecomesAResponse() {
		this.runner.withPropertyValues("ringkernel.functions=true").run((context) -> {
			Function<Message<byte[]>, Message<byte[]>> function = context.getBean(FunctionCatalog.class)
				.lookup("repeat-text-function", "application/json");
			assertThat(function.apply(json("{\"value\":3}")).getPayload()).asString(UTF_8)
				.isEqualTo("{\"value\":\"xxx\"}");
		});
	}

	@Test
	void aBatchOfRequestsBecomesOneOfResponses() {
		this.runner.withPropertyValues("ringkernel.functions=true").run((context) -> {
			Function<Message<byte[]>, Message<byte[]>> function = context.getBean(FunctionCatalog.class)
				.lookup("twice-batch-function", "application/json");
			assertThat(function.apply(json("[{\"value\":3},{\"value\":4}]")).getPayload()).asString(UTF_8)
				.isEqualTo("[{\"value\":6},{\"value\":8}]");
		});
	}

	@Test
	void messagesMayHaveTheLayoutOfTheRing() {
		this.runner.withPropertyValues("ringkernel.functions=true").run((context) -> {
			Function<Message<byte[]>, Message<byte[]>> function = context.getBean(FunctionCatalog.class)
				.lookup("twice-function", RecordMessageConverter.CONTENT_TYPE);
			Message<byte[]> response = function.apply(binary(new Number(21)));
			assertThat(response.getHeaders()).containsEntry("contentType", RecordMessageConverter.CONTENT_TYPE);
			assertThat(new RecordMessageConverter().fromMessage(response, Number.class)).isEqualTo(new Number(42));
			assertThatExceptionOfType(MessageConversionException.class)
				.isThrownBy(() -> function.apply(binary(new Text("21"))))
				.withCauseInstanceOf(LayoutMismatchException.class);
		});
	}

	@Test
	void aBatchOfMessagesMayHaveTheLayoutOfTheRing() {
		this.runner.withPropertyValues("ringkernel.functions=true").run((context) -> {
			Function<Message<List<byte[]>>, Message<byte[]>> function = context.getBean(FunctionCatalog.class)
				.lookup("twice-batch-function", "application/json");
			Message<List<byte[]>> batch = MessageBuilder
				.withPayload(List.of(binary(new Number(3)).getPayload(), binary(new Number(4)).getPayload()))
				.setHeader("contentType", RecordMessageConverter.CONTENT_TYPE)
				.build();
			assertThat(function.apply(batch).getPayload()).asString(UTF_8).isEqualTo("[{\"value\":6},{\"value\":8}]");
			Message<List<byte[]>> mixed = MessageBuilder
				.withPayload(List.of(binary(new Number(3)).getPayload(), binary(new Text("4")).getPayload()))
				.setHeader("contentType", RecordMessageConverter.CONTENT_TYPE)
				.build();
			assertThatExceptionOfType(MessageConversionException.class).isThrownBy(() -> function.apply(mixed))
				.withCauseInstanceOf(LayoutMismatchException.class);
		});
	}

	@Test
	void functionsOfSeveralKernelsCompose() {
		this.runner.withPropertyValues("ringkernel.functions=true").run((context) -> {
			Function<Number, Text> function = context.getBean(FunctionCatalog.class)
				.lookup("twice-function|repeat-text-function");
			assertThat(function.apply(new Number(2))).isEqualTo(new Text("xxxx"));
		});
	}

	@Test
	void aBeanThatHasTheNameTakesThePlaceOfAFunction() {
		Function<String, String> own = (text) -> text;
		this.runner.withPropertyValues("ringkernel.functions=true")
			.withBean("twice-function", Function.class, () -> own)
			.run((context) -> assertThat(context).getBean("twice-function").isSameAs(own));
	}

	@Test
	@SuppressWarnings("unchecked")
	void thoseOfDisabledKernelsFail() {
		this.runner.withPropertyValues("ringkernel.functions=true", "ringkernel.enabled=false").run((context) -> {
			Function<List<Number>, List<Number>> function = context.getBean("twice-batch-function", Function.class);
			assertThatExceptionOfType(RingKernelsDisabledException.class)
				.isThrownBy(() -> function.apply(List.of(new Number(2))));
		});
	}

	@SuppressWarnings("unchecked")
	private static Message<byte[]> binary(Record payload) {
		return (Message<byte[]>) new RecordMessageConverter().toMessage(payload,
				new MessageHeaders(Map.of(MessageHeaders.CONTENT_TYPE, RecordMessageConverter.CONTENT_TYPE)));
	}

	private static Message<byte[]> json(String payload) {
		return MessageBuilder.withPayload(payload.getBytes(UTF_8)).setHeader("contentType", "application/json").build();
	}

}
