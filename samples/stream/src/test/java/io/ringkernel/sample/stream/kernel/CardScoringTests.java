package io.ringkernel.sample.stream.kernel;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

import io.ringkernel.models.Model;
import io.ringkernel.runtime.Kernel;
import io.ringkernel.spring.boot.test.autoconfigure.AutoConfigurePtxMachine;
import io.ringkernel.spring.boot.test.autoconfigure.RingKernelTest;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Import;
import org.springframework.core.io.ClassPathResource;

import static io.ringkernel.test.RingKernelAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests of the kernel, on a machine that interprets the PTX that is made of the handler.
 */
@RingKernelTest(value = CardScoring.class,
		properties = { "card-stream.partitions=2", "card-stream.cards-per-partition=3" })
@EnableConfigurationProperties(CardStreamProperties.class)
@Import(FraudModelConfiguration.class)
@AutoConfigurePtxMachine
class CardScoringTests {

	private static final Model MODEL = Model.read(new ClassPathResource("fraud.json"));

	private final CardScoring handler = new CardScoring(
			new CardStreamProperties(2, 3, Duration.ofSeconds(1), new ClassPathResource("fraud.json"), 0.5f), MODEL);

	@Autowired
	private Kernel<CardRequest, CardResponse> kernel;

	@Test
	void deviceScoresAsTheHandlerDoes() {
		Model next = FraudModelTests.leaves("next.json", CardScoring.FEATURES, 1, 0.25f);
		List<CardRequest> requests = new ArrayList<>(List.of(CardRequest.clear(0, 1), CardRequest.clear(1, 2),
				score(0, 1, 7, 12.5f), score(0, 1, 7, 13.1f), score(0, 1, 8, 0.3f), score(1, 2, 7, 99),
				score(0, 1, 9, 1), score(0, 1, 10, 1), score(0, 1, 7, 55.5f), score(0, 2, 7, 1),
				CardRequest.load(1, 2, 4, new CardFeatures(3, 7, 50, 8)), score(1, 2, 4, 8.25f),
				CardRequest.clear(0, 3), score(0, 3, 10, 2), score(0, 3, 10, 250)));
		next.image().loads(0, CardRequest.MAX_WORDS).forEach((words) -> requests.add(CardRequest.load(words)));
		requests.add(score(0, 3, 10, 250));
		requests.add(CardRequest.score(0, 3, 10, 250, 50, 8, next.image().stamp()));
		assertThat(this.kernel).failingWithoutDevice()
			.usingHandler(this.handler)
			.agreesWithItsHandlerOn(requests.toArray(CardRequest[]::new));
		assertThat(this.handler.handle(requests.get(requests.size() - 1)).margin()).isEqualTo(0.25f);
	}

	@Test
	void anotherModelThanTheKernelHoldsChangesNothing() {
		this.handler.handle(CardRequest.clear(0, 1));
		CardResponse scored = this.handler.handle(score(0, 1, 7, 12));
		assertThat(scored.features()).isEqualTo(new CardFeatures(1, 12, 50, 8));
		assertThat(this.handler.handle(CardRequest.score(0, 1, 7, 13, 50, 8, 1)).outcome()).isEqualTo(Outcome.STALE);
		MODEL.image().loads(0, 2).forEach((words) -> this.handler.handle(CardRequest.load(words)));
		assertThat(this.handler.handle(score(0, 1, 7, 12)).features().count()).isEqualTo(2);
	}

	@Test
	void anotherCardThanThereIsRoomForChangesNothing() {
		this.handler.handle(CardRequest.clear(0, 1));
		for (long card = 1; card <= 3; card++) {
			assertThat(this.handler.handle(score(0, 1, card, 1)).outcome()).isEqualTo(Outcome.DONE);
		}
		assertThat(this.handler.handle(score(0, 1, 4, 1)).outcome()).isEqualTo(Outcome.FULL);
		assertThat(this.handler.handle(score(0, 1, 2, 1)).features().count()).isEqualTo(2);
	}

	@Test
	void anotherEpochIsRefused() {
		this.handler.handle(CardRequest.clear(1, 5));
		assertThat(this.handler.handle(score(1, 4, 7, 1)).outcome()).isEqualTo(Outcome.STALE);
		assertThat(this.handler.handle(score(0, 5, 7, 1)).outcome()).isEqualTo(Outcome.STALE);
		assertThat(this.handler.handle(score(1, 5, 7, 1)).outcome()).isEqualTo(Outcome.DONE);
	}

	private static CardRequest score(int partition, long epoch, long card, float amount) {
		return CardRequest.score(partition, epoch, card, amount, 50, 8, MODEL.image().stamp());
	}

}
