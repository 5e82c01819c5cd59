package io.ringkernel.sample.stream;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.Map;

import io.ringkernel.sample.stream.TransactionSimulator.Simulated;
import ml.dmlc.xgboost4j.java.DMatrix;
import ml.dmlc.xgboost4j.java.XGBoost;
import ml.dmlc.xgboost4j.java.XGBoostError;

/**
 * Trains a model by simulated transactions.
 */
public final class FraudTraining {

	private static final int CARDS = 5000;

	private static final int TRANSACTIONS = 600_000;

	private static final int TREES = 50;

	private static final int DEPTH = 5;

	/** A score above this raises an alarm. */
	private static final float ALARM = 0.5f;

	private FraudTraining() {
	}

	/**
	 * Trains the model of the application, writes it to a file and prints what it finds
	 * among other transactions.
	 * @param args the file, unless it is the one that the application has
	 */
	public static void main(String[] args) throws IOException {
		byte[] model = train(1, TRANSACTIONS, TREES);
		Path file = Path.of((args.length > 0) ? args[0] : "src/main/resources/fraud.json");
		Files.write(file, model);
		Demonstration.print("%s has %,d bytes.", file, model.length);
		find(PlainForest.of(model), new TransactionSimulator(2, 1, CARDS), TRANSACTIONS)
			.forEach((fraud, findings) -> Demonstration.print("%-12s %,7d transactions, %,6d of them with an alarm",
					fraud, findings.transactions(), findings.alarms()));
	}

	/**
	 * Trains a model.
	 * @param seed that of the transactions
	 * @param count how many transactions there are
	 * @param trees how many trees the model has
	 * @return the model as XGBoost saves it
	 */
	static byte[] train(long seed, int count, int trees) {
		TransactionSimulator simulator = new TransactionSimulator(seed, 1, CARDS);
		PlainFeatures features = new PlainFeatures();
		float[][] rows = new float[count][];
		float[] labels = new float[count];
		for (int id = 0; id < count; id++) {
			Simulated simulated = simulator.simulate(id);
			rows[id] = features.row(simulated.transaction());
			labels[id] = (simulated.fraud() != Fraud.NONE) ? 1 : 0;
		}
		try {
			DMatrix matrix = new DMatrix(flat(rows), count, rows[0].length, Float.NaN);
			matrix.setLabel(labels);
			Map<String, Object> parameters = Map.of("objective", "binary:logistic", "max_depth", DEPTH, "eta", 0.2,
					"tree_method", "hist", "min_child_weight", 5, "nthread", 1, "seed", seed);
			return XGBoost.train(matrix, parameters, trees, Map.of(), null, null).toByteArray("json");
		}
		catch (XGBoostError ex) {
			throw new IllegalStateException(ex);
		}
	}

	private static float[] flat(float[][] rows) {
		float[] flat = new float[rows.length * rows[0].length];
		for (int row = 0; row < rows.length; row++) {
			System.arraycopy(rows[row], 0, flat, row * rows[row].length, rows[row].length);
		}
		return flat;
	}

	/**
	 * Looks for fraud.
	 * @return what was found of each kind
	 */
	static Map<Fraud, Findings> find(PlainForest model, TransactionSimulator simulator, int count) {
		PlainFeatures features = new PlainFeatures();
		Map<Fraud, Findings> findings = new EnumMap<>(Fraud.class);
		for (int id = 0; id < count; id++) {
			Simulated simulated = simulator.simulate(id);
			int alarms = (model.score(features.row(simulated.transaction())) > ALARM) ? 1 : 0;
			findings.merge(simulated.fraud(), new Findings(1, alarms), Findings::plus);
		}
		return findings;
	}

	/**
	 * What a model finds.
	 *
	 * @param transactions how many there were
	 * @param alarms how many of them raised an alarm
	 */
	record Findings(int transactions, int alarms) {

		Findings plus(Findings more) {
			return new Findings(this.transactions + more.transactions, this.alarms + more.alarms);
		}

	}

}
