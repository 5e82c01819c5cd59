package io.ringkernel.sample.stream.kernel;

import java.util.Collections;
import java.util.List;
import java.util.Map;

import io.ringkernel.RingKernelClient;
import io.ringkernel.exception.BroadcastException;
import io.ringkernel.exception.KernelTerminatedException;
import io.ringkernel.models.Model;
import io.ringkernel.models.forest.DecisionTree;
import io.ringkernel.models.forest.Forest;
import io.ringkernel.models.forest.InvalidModelException;
import io.ringkernel.models.forest.Library;
import io.ringkernel.models.forest.Link;
import io.ringkernel.models.forest.Objective;
import io.ringkernel.models.kernel.EnsembleImage;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.BDDMockito.given;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.verifyNoInteractions;

/**
 * Tests of the model that a node scores by.
 */
class FraudModelTests {

	private static final Model FIRST = leaves("first.json", CardScoring.FEATURES, 1, 0.25f);

	@SuppressWarnings("unchecked")
	private final RingKernelClient<CardRequest, CardResponse> kernel = mock(RingKernelClient.class);

	private final FraudModel model = new FraudModel(this.kernel, FIRST);

	@Test
	void aModelThatTheKernelCannotHoldIsRefused() {
		assertRefused(leaves("other.json", 3, 1, 0.5f), "other.json has 3 features and 1 outputs. Train one with 5");
		assertRefused(leaves("other.json", CardScoring.FEATURES, EnsembleImage.MAX_TREES, 0.5f), "takes 65546 words");
		verifyNoInteractions(this.kernel);
	}

	private void assertRefused(Model next, String reason) {
		assertThatExceptionOfType(InvalidModelException.class).isThrownBy(() -> this.model.replace(next))
			.withMessageContaining(reason);
		assertThat(this.model.<Model>score((served) -> served)).isSameAs(FIRST);
	}

	@Test
	void aModelThatAReplicaDoesNotTakeIsNotInService() {
		given(this.kernel.broadcast(any())).willThrow(new BroadcastException("card-scoring", 2,
				Map.of("card-scoring.1", new KernelTerminatedException("card-scoring.1", null))));
		assertThatExceptionOfType(BroadcastException.class)
			.isThrownBy(() -> this.model.replace(leaves("next.json", CardScoring.FEATURES, 1, 0.5f)));
		assertThat(this.model.<Model>score((served) -> served)).isSameAs(FIRST);
	}

	/**
	 * A model each tree of which adds a value to every row.
	 */
	static Model leaves(String source, int features, int trees, float value) {
		DecisionTree leaf = new DecisionTree(new int[] { -1 }, new int[] { -1 }, new int[1], new double[] { value },
				new boolean[1], new boolean[1], Map.of());
		return Model.of(source, new Forest(Library.XGBOOST, "a test", new Objective("binary:logistic", Link.LOGISTIC),
				features, new float[1], List.copyOf(Collections.nCopies(trees, leaf)), new int[trees]));
	}

}
