package io.ringkernel.models.autoconfigure;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import io.ringkernel.exception.InvalidMessageException;
import io.ringkernel.models.Rows;
import io.ringkernel.models.Scores;
import io.ringkernel.models.TrainedModel;
import io.ringkernel.models.TreeEnsemble;
import io.ringkernel.spring.boot.autoconfigure.RingKernelAutoConfiguration;
import io.ringkernel.spring.boot.autoconfigure.messaging.RingKernelMessagingAutoConfiguration;
import io.ringkernel.spring.messaging.RecordMessageConverter;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.cloud.function.context.FunctionCatalog;
import org.springframework.cloud.function.context.config.ContextFunctionCatalogAutoConfiguration;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.messaging.Message;
import org.springframework.messaging.MessageHeaders;
import org.springframework.messaging.support.MessageBuilder;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for models as functions, as Spring Cloud Function finds them.
 */
class ModelFunctionsTests {

	private static final int FEATURES = 6;

	private static final int CLASSES = 3;

	private static final TrainedModel RISK = TrainedModel.train("multi:softprob", FEATURES, 12, 4,
			Map.of("num_class", CLASSES));

	private ApplicationContextRunner runner;

	@BeforeEach
	void write(@TempDir Path directory) throws IOException {
		Path risk = Files.write(directory.resolve("risk.json"), RISK.file("json"));
		this.runner = new ApplicationContextRunner()
			.withConfiguration(
					AutoConfigurations.of(RingKernelAutoConfiguration.class, RingKernelModelsAutoConfiguration.class,
							RingKernelMessagingAutoConfiguration.class, ContextFunctionCatalogAutoConfiguration.class))
			.withPropertyValues("ringkernel.backend=cpu", "ringkernel.defaults.workers=2", "ringkernel.functions=true",
					"ringkernel.models.risk.location=" + risk.toUri());
	}

	@Test
	void thereAreNoneByDefault() {
		this.runner.withPropertyValues("ringkernel.functions=false")
			.run((context) -> assertThat(context).hasSingleBean(TreeEnsemble.class)
				.doesNotHaveBean("model-risk-function")
				.doesNotHaveBean("model-risk-batch-function"));
	}

	@Test
	void rowsBecomeScores() {
		float[] rows = RISK.rows(2, 5);
		this.runner.run((context) -> {
			Function<Message<byte[]>, Message<byte[]>> function = context.getBean(FunctionCatalog.class)
				.lookup("model-risk-function", "application/json");
			assertThat(function.apply(message(sent(rows))).getPayload()).asString(UTF_8)
				.isEqualTo(answered(RISK.predictions(rows)));
		});
	}

	@Test
	void aBatchIsAnsweredMessageByMessage() {
		float[] rows = RISK.rows(40, 6);
		String batch = "[%s,%s,%s]".formatted(sent(rows(rows, 0, 1)), sent(rows(rows, 1, 30)),
				sent(rows(rows, 30, 40)));
		float[] scores = RISK.predictions(rows);
		this.runner.run((context) -> {
			Function<Message<byte[]>, Message<byte[]>> function = context.getBean(FunctionCatalog.class)
				.lookup("model-risk-batch-function", "application/json");
			assertThat(function.apply(message(batch)).getPayload()).asString(UTF_8)
				.isEqualTo("[%s,%s,%s]".formatted(answered(Arrays.copyOf(scores, CLASSES)),
						answered(Arrays.copyOfRange(scores, CLASSES, 30 * CLASSES)),
						answered(Arrays.copyOfRange(scores, 30 * CLASSES, 40 * CLASSES))));
		});
	}

	@Test
	void messagesMayHaveTheLayoutOfARecord() {
		float[] rows = RISK.rows(3, 7);
		this.runner.run((context) -> {
			Function<Message<?>, Message<byte[]>> function = context.getBean(FunctionCatalog.class)
				.lookup("model-risk-function", RecordMessageConverter.CONTENT_TYPE);
			RecordMessageConverter converter = new RecordMessageConverter();
			Message<byte[]> answer = function.apply(converter.toMessage(new Rows(rows),
					new MessageHeaders(Map.of(MessageHeaders.CONTENT_TYPE, RecordMessageConverter.CONTENT_TYPE))));
			assertThat(converter.fromMessage(answer, Scores.class)).isInstanceOfSatisfying(Scores.class,
					(scores) -> assertThat(scores.scores()).isEqualTo(RISK.predictions(rows)));
		});
	}

	record Payment(float amount) {
	}

	@Configuration(proxyBeanMethods = false)
	static class Payments {

		@Bean
		Function<Payment, Rows> paymentRows() {
			return (payment) -> new Rows(new float[] { payment.amount(), 0, 0, 0, 0, 0 });
		}

	}

	@Test
	void aFunctionOfTheApplicationMayMakeRows() {
		this.runner.withUserConfiguration(Payments.class).run((context) -> {
			Function<Message<byte[]>, Message<byte[]>> function = context.getBean(FunctionCatalog.class)
				.lookup("paymentRows|model-risk-function", "application/json");
			assertThat(function.apply(message("{\"amount\":1.5}")).getPayload()).asString(UTF_8)
				.isEqualTo(answered(RISK.predictions(new float[] { 1.5f, 0, 0, 0, 0, 0 })));
		});
	}

	@Test
	void aBatchOfNothingIsAnsweredByNothing() {
		this.runner.run((context) -> assertThat(batch(context).apply(List.of())).isEmpty());
	}

	/** All messages together have as many features as rows have. */
	@ParameterizedTest
	@ValueSource(ints = { 0, FEATURES - 1, FEATURES + 1 })
	void aMessageOfABatchThatHasNoWholeRowsIsRefusedWithItsNumber(int length) {
		List<Rows> batch = List.of(new Rows(new float[FEATURES]), new Rows(new float[length]),
				new Rows(new float[2 * FEATURES - length]));
		this.runner.run((context) -> assertThatExceptionOfType(InvalidMessageException.class)
			.isThrownBy(() -> batch(context).apply(batch))
			.withMessageContaining("has %d elements in message 1 of the batch".formatted(length)));
	}

	@ParameterizedTest
	@ValueSource(strings = { "{}", "{\"features\":null}" })
	void aMessageWithoutFeaturesIsRefusedByName(String json) {
		this.runner.run((context) -> {
			Function<Message<byte[]>, Message<byte[]>> function = context.getBean(FunctionCatalog.class)
				.lookup("model-risk-function", "application/json");
			assertThatExceptionOfType(InvalidMessageException.class).isThrownBy(() -> function.apply(message(json)))
				.withMessage("Rows.features is missing. Send the features of one or more rows.");
			List<Rows> batch = List.of(new Rows(new float[FEATURES]), new Rows(null));
			assertThatExceptionOfType(InvalidMessageException.class).isThrownBy(() -> batch(context).apply(batch))
				.withMessageContaining("is missing in message 1 of the batch");
		});
	}

	@SuppressWarnings("unchecked")
	private static Function<List<Rows>, List<Scores>> batch(ApplicationContext context) {
		return context.getBean("model-risk-batch-function", Function.class);
	}

	private static Message<byte[]> message(String json) {
		return MessageBuilder.withPayload(json.getBytes(UTF_8)).setHeader("contentType", "application/json").build();
	}

	private static float[] rows(float[] rows, int from, int to) {
		return Arrays.copyOfRange(rows, from * FEATURES, to * FEATURES);
	}

	private static String sent(float[] features) {
		return "{\"features\":%s}".formatted(json(features));
	}

	private static String answered(float[] scores) {
		return "{\"scores\":%s}".formatted(json(scores));
	}

	/** A missing feature is text: JSON has no number for it. */
	private static String json(float[] values) {
		return IntStream.range(0, values.length)
			.mapToObj((i) -> Float.isNaN(values[i]) ? "\"NaN\"" : Float.toString(values[i]))
			.collect(Collectors.joining(",", "[", "]"));
	}

}
