package io.ringkernel.models.autoconfigure;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;

import io.ringkernel.exception.InvalidMessageException;
import io.ringkernel.models.Rows;
import io.ringkernel.models.Scores;
import io.ringkernel.models.TreeEnsemble;

/**
 * Makes functions of an ensemble, for what finds functions among beans: Spring Cloud
 * Function, and Spring Cloud Stream, which connects them to topics. Messages are records:
 * Spring Cloud Function takes a message that is an array apart.
 */
final class ModelFunctions {

	private ModelFunctions() {
	}

	/** A function that predicts for the rows of a message. */
	static Function<Rows, Scores> single(TreeEnsemble ensemble) {
		return (rows) -> new Scores(ensemble.scores(features(rows, "")));
	}

	/** A function that predicts for the rows of all messages by one model. */
	static Function<List<Rows>, List<Scores>> batch(TreeEnsemble ensemble) {
		return (batch) -> batch.isEmpty() ? List.of() : scores(ensemble, batch);
	}

	private static List<Scores> scores(TreeEnsemble ensemble, List<Rows> batch) {
		int width = ensemble.status().features();
		float[] features = features(batch, width);
		float[] scores = ensemble.scores(features);
		int outputs = scores.length / (features.length / width);
		List<Scores> answers = new ArrayList<>(batch.size());
		int from = 0;
		for (Rows rows : batch) {
			int to = from + rows.features().length / width * outputs;
			answers.add(new Scores(Arrays.copyOfRange(scores, from, to)));
			from = to;
		}
		return answers;
	}

	/** A message in JSON may lack them. */
	private static float[] features(Rows rows, String where) {
		if (rows.features() == null) {
			throw new InvalidMessageException(Rows.class, "features",
					"is missing%s. Send the features of one or more rows.".formatted(where));
		}
		return rows.features();
	}

	/** Each message must have whole rows: the rest would move all rows behind it. */
	private static float[] features(List<Rows> batch, int width) {
		int length = 0;
		for (int i = 0; i < batch.size(); i++) {
			int features = features(batch.get(i), " in message %d of the batch".formatted(i)).length;
			if (features == 0 || features % width != 0) {
				throw new InvalidMessageException(Rows.class, "features",
						"has %d elements in message %d of the batch. A row has %d features; send one or more rows."
							.formatted(features, i, width),
						features, width);
			}
			length = Math.addExact(length, features);
		}
		float[] all = new float[length];
		int to = 0;
		for (Rows rows : batch) {
			System.arraycopy(rows.features(), 0, all, to, rows.features().length);
			to += rows.features().length;
		}
		return all;
	}

}
