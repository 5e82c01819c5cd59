package io.ringkernel.sample.stream;

import java.util.Map;

import io.ringkernel.sample.stream.FraudTraining.Findings;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests of the model of the application, among transactions that it was not trained on.
 */
class FraudTrainingTests {

	@Test
	void theModelFindsWhatTheFeaturesOfACardTell() {
		Map<Fraud, Findings> findings = FraudTraining.find(PlainForest.first(), new TransactionSimulator(3, 1, 5000),
				200_000);
		assertThat(findings).containsOnlyKeys(Fraud.values());
		assertThat(share(findings.get(Fraud.NONE))).isLessThan(0.001);
		assertThat(share(findings.get(Fraud.LARGE_AMOUNT))).isGreaterThan(0.5);
		assertThat(share(findings.get(Fraud.CARD))).isGreaterThan(0.5);
	}

	@Test
	void aTransactionIsAFunctionOfItsNumber() {
		TransactionSimulator simulator = new TransactionSimulator(3, 1, 5000);
		assertThat(simulator.simulate(1234)).isEqualTo(simulator.simulate(1234)).isNotEqualTo(simulator.simulate(1235));
	}

	private static double share(Findings findings) {
		return (double) findings.alarms() / findings.transactions();
	}

}
