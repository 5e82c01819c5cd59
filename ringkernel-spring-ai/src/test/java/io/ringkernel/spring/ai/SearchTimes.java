package io.ringkernel.spring.ai;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * How long searches take, and how many of the nearest they find. Of each round the
 * percentiles are kept, and their median counts.
 */
final class SearchTimes {

	/** Other processes take no part in the time of a thread. */
	private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

	private final List<Double> p50 = new ArrayList<>();

	private final List<Double> p99 = new ArrayList<>();

	private final List<Double> cpuP50 = new ArrayList<>();

	private int found;

	private int wanted;

	/**
	 * Measures a round.
	 * @param search searches for a query by its number
	 * @param right for each query the numbers of the nearest documents
	 */
	void measure(Search search, List<Set<Integer>> right) throws Exception {
		int queries = right.size();
		double[] micros = new double[queries];
		double[] cpuMicros = new double[queries];
		for (int query = 0; query < queries; query++) {
			long cpu = THREADS.getCurrentThreadCpuTime();
			long started = System.nanoTime();
			List<String> ids = search.ids(query);
			micros[query] = (System.nanoTime() - started) / 1e3;
			cpuMicros[query] = (THREADS.getCurrentThreadCpuTime() - cpu) / 1e3;
			this.found += (int) ids.stream().map(Integer::valueOf).filter(right.get(query)::contains).count();
			this.wanted += right.get(query).size();
		}
		Arrays.sort(micros);
		Arrays.sort(cpuMicros);
		this.p50.add(micros[queries / 2]);
		this.p99.add(micros[queries * 99 / 100]);
		this.cpuP50.add(cpuMicros[queries / 2]);
	}

	/**
	 * What was measured, as members of a JSON object.
	 */
	@Override
	public String toString() {
		return String.format(Locale.ROOT, "\"recall\":%.4f,\"p50_us\":%.1f,\"p99_us\":%.1f,\"caller_cpu_p50_us\":%.1f",
				this.found / (double) this.wanted, median(this.p50), median(this.p99), median(this.cpuP50));
	}

	private static double median(List<Double> values) {
		return values.stream().sorted().skip(values.size() / 2).findFirst().orElseThrow();
	}

	/** One search. */
	interface Search {

		List<String> ids(int query) throws Exception;

	}

}
