package io.ringkernel.sample.stream;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import io.ringkernel.RingKernelHandler;
import io.ringkernel.spring.RingKernel;
import io.ringkernel.spring.messaging.RecordMessageConverter;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.test.context.TestConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.kafka.test.EmbeddedKafkaKraftBroker;
import org.springframework.messaging.Message;
import org.springframework.messaging.MessageHeaders;
import org.springframework.messaging.support.MessageBuilder;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests of a kernel between two topics whose records are laid out as in its ring.
 */
@Tag("every-platform")
class BinaryTopicsTests {

	private static final Duration LONGEST = Duration.ofMinutes(1);

	private static final RecordMessageConverter CONVERTER = new RecordMessageConverter();

	private static EmbeddedKafkaKraftBroker broker;

	private static ConfigurableApplicationContext application;

	@BeforeAll
	static void start() {
		broker = new EmbeddedKafkaKraftBroker(1, 1, "readings", "alarms", "refused-readings");
		broker.afterPropertiesSet();
		String binding = "spring.cloud.stream.bindings.watch-function-";
		String input = "spring.cloud.stream.kafka.bindings.watch-function-in-0.consumer.";
		application = new SpringApplicationBuilder(Watch.class).web(WebApplicationType.NONE)
			.properties("spring.config.name=none", "ringkernel.functions=true", "ringkernel.backend=cpu",
					"spring.cloud.function.definition=watch-function",
					"spring.kafka.bootstrap-servers=" + broker.getBrokersAsString(),
					binding + "in-0.destination=readings", binding + "in-0.group=watch",
					binding + "in-0.content-type=" + RecordMessageConverter.CONTENT_TYPE,
					binding + "in-0.consumer.back-off-initial-interval=10", binding + "out-0.destination=alarms",
					binding + "out-0.content-type=" + RecordMessageConverter.CONTENT_TYPE, input + "enable-dlq=true",
					input + "dlq-name=refused-readings", input + "start-offset=earliest")
			.run();
	}

	@AfterAll
	static void stop() {
		application.close();
		broker.destroy();
	}

	@Test
	void recordsAreAnsweredAndThoseOfAnotherLayoutAreDeadLettersWithTheReason() {
		try (KafkaProducer<byte[], byte[]> producer = new KafkaProducer<>(
				Map.of("bootstrap.servers", broker.getBrokersAsString()), new ByteArraySerializer(),
				new ByteArraySerializer())) {
			for (byte[] value : List.of(bytes(new Reading(1, 21.5)), bytes(new OldReading(2, 90.5f)),
					bytes(new Reading(3, 99.5)))) {
				ProducerRecord<byte[], byte[]> sent = new ProducerRecord<>("readings", value);
				assertThat(producer.send(sent)).succeedsWithin(LONGEST);
			}
		}
		assertThat(records("alarms", 2)).extracting(BinaryTopicsTests::alarm)
			.containsExactly(new Alarm(1, false), new Alarm(3, true));
		ConsumerRecord<byte[], byte[]> refused = records("refused-readings", 1).get(0);
		assertThat(refused.value()).isEqualTo(bytes(new OldReading(2, 90.5f)));
		assertThat(new String(refused.headers().lastHeader("x-exception-message").value(), StandardCharsets.UTF_8))
			.contains("has the layout", Reading.class.getName());
	}

	private static List<ConsumerRecord<byte[], byte[]>> records(String topic, int count) {
		List<ConsumerRecord<byte[], byte[]>> records = new ArrayList<>();
		try (KafkaConsumer<byte[], byte[]> consumer = new KafkaConsumer<>(Map.of("bootstrap.servers",
				broker.getBrokersAsString(), "group.id", "test-" + topic, "auto.offset.reset", "earliest"),
				new ByteArrayDeserializer(), new ByteArrayDeserializer())) {
			consumer.subscribe(List.of(topic));
			long deadline = System.nanoTime() + LONGEST.toNanos();
			while (records.size() < count && System.nanoTime() - deadline < 0) {
				consumer.poll(Duration.ofMillis(100)).forEach(records::add);
			}
		}
		assertThat(records).as("records of %s", topic).hasSize(count);
		return records;
	}

	private static byte[] bytes(Record message) {
		return (byte[]) CONVERTER
			.toMessage(message,
					new MessageHeaders(Map.of(MessageHeaders.CONTENT_TYPE, RecordMessageConverter.CONTENT_TYPE)))
			.getPayload();
	}

	private static Alarm alarm(ConsumerRecord<byte[], byte[]> written) {
		Message<byte[]> message = MessageBuilder.withPayload(written.value())
			.setHeader(MessageHeaders.CONTENT_TYPE, RecordMessageConverter.CONTENT_TYPE)
			.build();
		return (Alarm) CONVERTER.fromMessage(message, Alarm.class);
	}

	record Reading(long sensor, double celsius) {
	}

	/**
	 * An earlier version of the record.
	 */
	record OldReading(long sensor, float celsius) {
	}

	record Alarm(long sensor, boolean raised) {
	}

	@TestConfiguration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	static class Watch {

		@Bean
		@RingKernel(id = "watch")
		RingKernelHandler<Reading, Alarm> watch() {
			return (reading) -> new Alarm(reading.sensor(), reading.celsius() > 90);
		}

	}

}
