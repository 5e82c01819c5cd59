package io.ringkernel.sample.stream;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.LongStream;

import org.jspecify.annotations.Nullable;

/**
 * Scores transactions one after another, by plain Java: each by the model that its score
 * names.
 */
final class Oracle {

	private final PlainFeatures features = new PlainFeatures();

	private final List<PlainForest> models;

	private Oracle(List<PlainForest> models) {
		this.models = models;
	}

	/**
	 * Compares scores with those of an oracle.
	 * @param actual the scores by the numbers of the transactions
	 * @param models those that nodes may score by
	 * @return how the two differ, ten transactions at most
	 */
	static List<String> differences(Workload workload, long count, Map<Long, CardScore> actual, PlainForest... models) {
		Oracle oracle = new Oracle(List.of(models));
		return LongStream.range(0, count).mapToObj((id) -> {
			CardScore expected = oracle.score(workload.transaction(id), actual.get(id));
			return Objects.equals(expected, actual.get(id)) ? ""
					: "%s, in place of %s".formatted(actual.get(id), expected);
		}).filter((difference) -> !difference.isEmpty()).limit(10).toList();
	}

	private @Nullable CardScore score(@Nullable CardTransaction transaction, @Nullable CardScore actual) {
		if (transaction == null) {
			return null;
		}
		float[] row = this.features.row(transaction);
		PlainForest model = this.models.stream()
			.filter((some) -> actual != null && some.stamp().equals(actual.model()))
			.findFirst()
			.orElse(this.models.get(0));
		return new CardScore(transaction.id(), transaction.card(), model.score(row),
				this.features.count(transaction.card()), model.stamp());
	}

}
