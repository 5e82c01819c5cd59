package io.ringkernel.test;

import java.util.Arrays;
import java.util.List;

import io.ringkernel.KernelState;
import io.ringkernel.RingKernelHandler;
import io.ringkernel.backend.KernelSpec;
import io.ringkernel.compiler.HandlerCompiler;
import io.ringkernel.exception.HandlerRefusedException;
import io.ringkernel.platform.BackendKind;
import io.ringkernel.platform.ConfiguredName;
import io.ringkernel.platform.ExecutionPlan;
import io.ringkernel.runtime.Kernel;
import io.ringkernel.test.fault.RingKernelFaults;
import org.assertj.core.api.AbstractAssert;
import org.opentest4j.TestAbortedException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Assertions on a ring kernel, first of all its <em>parity</em>: that it answers as its
 * Java handler does.
 *
 * <pre>{@code
 * assertThat(vectorAdd).withRelativeTolerance(1e-6)
 *     .agreesWithItsHandlerOn(new VectorAddRequest(a, b), new VectorAddRequest(b, a));
 * }</pre>
 *
 * Where no device runs the kernel, its requests go through the CPU backend: layout and
 * ring are then tested, but no image. That is logged as a warning, unless
 * {@link #skippingWithoutDevice()} or {@link #failingWithoutDevice()} say otherwise.
 * <p>
 * The CPU backend calls the handler that the kernel was defined with, and the comparison
 * calls the same object. Give a handler that keeps state an instance of its own for the
 * comparison, by {@link #usingHandler}, and relaunch the kernel if earlier tests have
 * changed its state.
 *
 * @param <I> the request
 * @param <O> the response
 * @since 0.1.0
 */
public final class KernelAssert<I extends Record, O extends Record>
		extends AbstractAssert<KernelAssert<I, O>, Kernel<I, O>> {

	private static final Logger logger = LoggerFactory.getLogger(KernelAssert.class);

	private RingKernelHandler<I, O> handler;

	private Tolerance tolerance = Tolerance.NONE;

	private WithoutDevice withoutDevice = WithoutDevice.WARN;

	KernelAssert(Kernel<I, O> kernel) {
		super(kernel, KernelAssert.class);
		this.handler = kernel.spec().handler();
	}

	/**
	 * Compares with another handler than the kernel's own. A handler that keeps state
	 * needs one: on the CPU backend, its own object would see each request twice.
	 * @param oracle computes what is right, such as a new instance of the handler
	 * @return this
	 */
	public KernelAssert<I, O> usingHandler(RingKernelHandler<I, O> oracle) {
		this.handler = oracle;
		return this;
	}

	/**
	 * Lets floating-point numbers differ by an absolute amount. With a relative tolerance
	 * as well, the larger of the two counts.
	 * @param absolute the most they may differ by; 0 or more, 0 unless set
	 * @return this
	 */
	public KernelAssert<I, O> withAbsoluteTolerance(double absolute) {
		this.tolerance = new Tolerance(absolute, this.tolerance.relative());
		return this;
	}

	/**
	 * Lets floating-point numbers differ by a part of the larger one's magnitude. With an
	 * absolute tolerance as well, the larger of the two counts.
	 * @param relative the most they may differ by, such as 1e-6 for {@code float}; from 0
	 * to 1, 0 unless set
	 * @return this
	 */
	public KernelAssert<I, O> withRelativeTolerance(double relative) {
		this.tolerance = new Tolerance(this.tolerance.absolute(), relative);
		return this;
	}

	/**
	 * Aborts the test, which JUnit shows as skipped, where no device runs the kernel.
	 * @return this
	 */
	public KernelAssert<I, O> skippingWithoutDevice() {
		this.withoutDevice = WithoutDevice.SKIP;
		return this;
	}

	/**
	 * Fails where no device runs the kernel: for builds that are meant to have one.
	 * @return this
	 */
	public KernelAssert<I, O> failingWithoutDevice() {
		this.withoutDevice = WithoutDevice.FAIL;
		return this;
	}

	/**
	 * Verifies that the kernel is in a state.
	 * @param state the state
	 * @return this
	 */
	public KernelAssert<I, O> hasState(KernelState state) {
		isNotNull();
		KernelState found = this.actual.status().state();
		if (found != state) {
			String failure = this.actual.status().lastFailure();
			failWithMessage("Ring kernel '%s' is %s, not %s.%s", this.actual.id(), found, state,
					(failure != null) ? " Its last failure: " + failure : "");
		}
		return this;
	}

	/**
	 * Verifies that a device can run the handler of the kernel as it is written in Java.
	 * Neither a device nor an active kernel is needed. An image of the kernel is of no
	 * concern.
	 * @return this
	 * @throws AssertionError if it cannot; with class, method and line, and what to do
	 * instead
	 * @since 0.2.0
	 */
	public KernelAssert<I, O> compilesForDevice() {
		isNotNull();
		KernelSpec<I, O> kernel = this.actual.spec();
		try {
			HandlerCompiler.compile(kernel.handler(), kernel.requests(), kernel.responses());
		}
		catch (HandlerRefusedException ex) {
			throw failure(literally(
					"Ring kernel '%s' cannot run on a device: %s".formatted(this.actual.id(), ex.getMessage())));
		}
		return this;
	}

	/**
	 * Verifies that kernel and handler give the same response to each request, or both
	 * fail on it. See {@link #agreesWithItsHandlerOn(List)}.
	 * @param requests the requests; at least one
	 * @return this
	 */
	@SafeVarargs
	@SuppressWarnings("varargs")
	public final KernelAssert<I, O> agreesWithItsHandlerOn(I... requests) {
		return agreesWithItsHandlerOn(Arrays.asList(requests));
	}

	/**
	 * Verifies that kernel and handler give the same response to each request, or both
	 * fail on it. The requests are sent one after another, each to the handler first.
	 * Responses are compared component by component: floating-point numbers within the
	 * tolerance, NaN being equal to NaN; everything else exactly.
	 * @param requests the requests; at least one
	 * @return this
	 * @throws io.ringkernel.exception.RingKernelException if the kernel cannot be asked:
	 * it is not active, does not answer in time, or ends
	 * @throws TestAbortedException if there is no device, and the test is to be skipped
	 */
	public KernelAssert<I, O> agreesWithItsHandlerOn(List<? extends I> requests) {
		isNotNull();
		if (requests.isEmpty()) {
			throw new IllegalArgumentException(
					"There are no requests to compare kernel '%s' with its handler on. Give at least one."
						.formatted(this.actual.id()));
		}
		ExecutionPlan plan = this.actual.status().plan();
		if (!runsOnDevice(plan)) {
			tellThatThereIsNoDevice(plan);
		}
		ParityReport report = new ParityReport(this.actual.id(), ConfiguredName.of(plan.backend()), this.tolerance);
		for (I request : requests) {
			report.add(request, CallResult.of(() -> this.handler.handle(request)),
					CallResult.of(() -> this.actual.client().call(request)));
		}
		report.failure().ifPresent((failure) -> {
			throw failure(literally(failure + (sharesItsHandler(plan) ? adviceOnState() : "")));
		});
		return this;
	}

	@SuppressWarnings("ReferenceEquality") // One object, which has one state.
	private boolean sharesItsHandler(ExecutionPlan plan) {
		return !runsOnDevice(plan) && this.handler == this.actual.spec().handler();
	}

	private String adviceOnState() {
		Class<?> type = this.handler.getClass();
		return ("%nThe kernel ran on the CPU, so both sides called the same handler object. "
				+ "If it keeps state, compare with another one: usingHandler(new %s(…)).")
			.formatted((type.isHidden() || type.isAnonymousClass()) ? "<handler>" : type.getSimpleName());
	}

	private static boolean runsOnDevice(ExecutionPlan plan) {
		return plan.backend() != BackendKind.CPU && !RingKernelFaults.areInjectedInto(plan);
	}

	private void tellThatThereIsNoDevice(ExecutionPlan plan) {
		String problem = "No device runs ring kernel '%s', so its parity with its Java handler was not tested on one: %s."
			.formatted(this.actual.id(), String.join("; ", plan.reasons()));
		switch (this.withoutDevice) {
			case WARN -> logger.warn("{} The CPU backend answered: layouts and ring were tested.", problem);
			case SKIP -> throw new TestAbortedException(problem);
			case FAIL -> throw failure(literally(problem));
		}
	}

	/** What AssertJ takes for a format. */
	private static String literally(String message) {
		return message.replace("%", "%%");
	}

	private enum WithoutDevice {

		WARN, SKIP, FAIL

	}

}
