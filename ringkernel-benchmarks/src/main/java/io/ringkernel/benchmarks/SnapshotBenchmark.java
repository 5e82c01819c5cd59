package io.ringkernel.benchmarks;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;

import io.ringkernel.RingKernelHandler;
import io.ringkernel.backend.KernelOptions;
import io.ringkernel.backend.KernelSpec;
import io.ringkernel.cpu.CpuBackendProvider;
import io.ringkernel.platform.PlanRequest;
import io.ringkernel.runtime.Kernel;
import io.ringkernel.runtime.RingKernelRuntime;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * What it takes to save a state of 1 GB of an active kernel on the CPU, and to bring it
 * back: the gigabytes a second are the inverse of the time. The file lies in the folder
 * for temporary files, and in the cache of the system.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
@Fork(value = 1, jvmArgs = "-Xmx2g")
@Warmup(iterations = 2, time = 1)
@Measurement(iterations = 3, time = 3)
public class SnapshotBenchmark {

	@Benchmark
	public void snapshot(SavedState state) {
		state.kernel.snapshot(state.file);
	}

	@Benchmark
	public void restore(SavedState state) {
		state.kernel.restore(state.file);
	}

	/** A request for an element. */
	public record Element(int index, double value) {
	}

	/** A kernel and its snapshot. */
	@State(Scope.Thread)
	@SuppressWarnings("NullAway.Init")
	public static class SavedState {

		RingKernelRuntime runtime;

		Kernel<Element, Element> kernel;

		Path file;

		@Setup
		public void open() throws IOException {
			this.file = Files.createTempFile("snapshot-benchmark", ".state");
			this.runtime = RingKernelRuntime.open(PlanRequest.AUTO, List.of(new CpuBackendProvider()));
			this.kernel = this.runtime.define(KernelSpec.of("stateful", Element.class, Element.class, new Elements(),
					KernelOptions.builder().workers(1).build()));
			this.kernel.launch();
			this.kernel.activate();
			this.kernel.snapshot(this.file);
		}

		@TearDown
		public void close() throws IOException {
			this.runtime.close();
			Files.delete(this.file);
		}

	}

	/** Keeps a table. */
	private static final class Elements implements RingKernelHandler<Element, Element> {

		private final double[] values = new double[125_000_000];

		Elements() {
			Arrays.setAll(this.values, (i) -> i);
		}

		@Override
		public Element handle(Element request) {
			double before = this.values[request.index()];
			this.values[request.index()] = request.value();
			return new Element(request.index(), before);
		}

	}

}
