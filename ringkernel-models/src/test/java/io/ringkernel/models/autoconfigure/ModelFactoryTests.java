package io.ringkernel.models.autoconfigure;

import java.util.Arrays;

import io.ringkernel.models.Model;
import io.ringkernel.models.forest.Link;
import io.ringkernel.models.forest.Objective;
import io.ringkernel.models.kernel.EnsembleImage;
import io.ringkernel.models.kernel.ScoreRequest;
import io.ringkernel.models.kernel.TreeEnsembleHandler;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link ModelFactory}.
 */
class ModelFactoryTests {

	private static final String NAME = "fraud";

	/** A request that stores one word tells by its stamp whether the image is there. */
	@ParameterizedTest
	@CsvSource({ "2097152, false", "2097153, true" })
	void theFirstCallStoresAModelAbove16MB(int words, boolean isStoredLater) {
		long[] image = new long[words];
		Arrays.fill(image, 4711);
		Model model = new Model("a test", "none", new Objective("reg:squarederror", Link.IDENTITY), 1, 1, 1,
				new EnsembleImage(image));
		RingKernelModelsProperties properties = new RingKernelModelsProperties();
		properties.put(NAME, new ModelProperties(null, null, false));
		TreeEnsembleHandler handler = ModelFactory.handler(NAME, model, properties);
		ScoreRequest load = ScoreRequest.load(0, model.image().stamp(), 1, new long[1]);
		assertThat(handler.handle(load).isStale()).isEqualTo(isStoredLater);
	}

}
