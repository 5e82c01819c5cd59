package io.ringkernel.test;

import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.IntStream;

import io.ringkernel.Capacity;
import io.ringkernel.KernelState;
import io.ringkernel.Length;
import io.ringkernel.RingKernelHandler;
import io.ringkernel.exception.KernelNotActiveException;
import io.ringkernel.runtime.Kernel;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.opentest4j.TestAbortedException;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import static io.ringkernel.test.RingKernelAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/**
 * Tests for {@link KernelAssert}. The kernel answers as {@link #answer}, whatever its
 * oracle says.
 */
@ExtendWith(OutputCaptureExtension.class)
class KernelAssertTests {

	private static final Everything ANSWER = new Everything(1, 2.5f, "text", Colour.RED, new float[] { 1, 2, 3 },
			new Point[] { new Point(1, 2), new Point(3, 4) }, new Point(5, 6), Optional.of(7), OptionalDouble.empty());

	private Everything answer = ANSWER;

	private final TestRuntime<Ask, Everything> device = TestRuntime.onDevice(Ask.class, Everything.class,
			(ask) -> answer(ask));

	private final TestRuntime<Ask, Everything> cpu = TestRuntime.onCpu(Ask.class, Everything.class,
			(ask) -> answer(ask));

	private Everything answer(Ask ask) {
		if (ask.number() < 0) {
			throw new IllegalStateException("negative");
		}
		return this.answer;
	}

	@AfterEach
	void close() {
		this.device.close();
		this.cpu.close();
	}

	private Kernel<Ask, Everything> kernel() {
		return this.device.kernel();
	}

	private static Ask[] asks(int count) {
		return IntStream.rangeClosed(1, count).mapToObj(Ask::new).toArray(Ask[]::new);
	}

	@Test
	void kernelAgreesWithItself(CapturedOutput output) {
		assertThat(kernel()).agreesWithItsHandlerOn(asks(3)).hasState(KernelState.ACTIVE);
		assertThat(output).doesNotContain("No device");
	}

	@Test
	void everyKindOfComponentIsComparedAndNamedByItsPath() {
		RingKernelHandler<Ask, Everything> oracle = (ask) -> new Everything(2, 3.5f, "test", Colour.GREEN,
				new float[] { 1, 2.5f }, new Point[] { new Point(1, 2), new Point(3, 9) }, new Point(5, 7),
				Optional.empty(), OptionalDouble.of(8));
		assertThatExceptionOfType(AssertionError.class)
			.isThrownBy(() -> assertThat(kernel()).usingHandler(oracle).agreesWithItsHandlerOn(new Ask(4)))
			.withMessage("""
					Ring kernel 'tested' on backend 'cuda' disagrees with its Java handler on 1 of 1 requests \
					(absolute tolerance 0.0, relative tolerance 0.0).
					request 1: Ask[number=4]
					  integer: handler 2, kernel 1
					  real: handler 3.5, kernel 2.5, apart by 1.0 where 0.0 is allowed
					  string: handler "test", kernel "text"
					  colour: handler GREEN, kernel RED
					  reals.length: handler 2, kernel 3
					  reals[1]: handler 2.5, kernel 2.0, apart by 0.5 where 0.0 is allowed
					  points[1].y: handler 9.0, kernel 4.0, apart by 5.0 where 0.0 is allowed
					  point.y: handler 7.0, kernel 6.0, apart by 1.0 where 0.0 is allowed
					  optional: handler nothing, kernel 7
					  optionalReal: handler 8.0, kernel nothing""");
	}

	@Test
	void absoluteToleranceIsForFloatingPointAlone() {
		Everything near = new Everything(1, 2.625f, "text", Colour.RED, new float[] { 1.125f, 2, 3 }, ANSWER.points(),
				new Point(5, 5.875f), Optional.of(7), OptionalDouble.empty());
		assertThat(kernel()).withAbsoluteTolerance(0.125)
			.usingHandler((ask) -> near)
			.agreesWithItsHandlerOn(new Ask(1));
		assertThatExceptionOfType(AssertionError.class)
			.isThrownBy(() -> assertThat(kernel()).withAbsoluteTolerance(0.0625)
				.usingHandler((ask) -> near)
				.agreesWithItsHandlerOn(new Ask(1)))
			.withMessageContaining("reals[0]: handler 1.125, kernel 1.0, apart by 0.125 where 0.0625 is allowed");
		Everything other = new Everything(2, 2.5f, "text", Colour.RED, ANSWER.reals(), ANSWER.points(), ANSWER.point(),
				Optional.of(7), OptionalDouble.empty());
		assertThatExceptionOfType(AssertionError.class)
			.isThrownBy(() -> assertThat(kernel()).withAbsoluteTolerance(100)
				.usingHandler((ask) -> other)
				.agreesWithItsHandlerOn(new Ask(1)))
			.withMessageContaining("integer: handler 2, kernel 1");
	}

	@Test
	void relativeToleranceIsAPartOfTheLargerNumber() {
		Everything near = new Everything(1, 2.5f, "text", Colour.RED, new float[] { 1.25f, 2.5f, 3.75f },
				ANSWER.points(), ANSWER.point(), Optional.of(7), OptionalDouble.empty());
		assertThat(kernel()).withRelativeTolerance(0.2).usingHandler((ask) -> near).agreesWithItsHandlerOn(new Ask(1));
		assertThatExceptionOfType(AssertionError.class)
			.isThrownBy(() -> assertThat(kernel()).withRelativeTolerance(0.1)
				.usingHandler((ask) -> near)
				.agreesWithItsHandlerOn(new Ask(1)))
			.withMessageContaining("reals[2]: handler 3.75, kernel 3.0, apart by 0.75 where 0.375 is allowed");
	}

	@Test
	void onlyTheFirstDifferencesOfTheFirstRequestAreShownAndTheOthersAreCounted() {
		this.answer = withReals(new float[100]);
		float[] ones = new float[100];
		java.util.Arrays.fill(ones, 1);
		assertThatExceptionOfType(AssertionError.class)
			.isThrownBy(() -> assertThat(kernel())
				.usingHandler((ask) -> withReals((ask.number() == 1) ? new float[100] : ones))
				.agreesWithItsHandlerOn(asks(3)))
			.withMessageContaining("on 2 of 3 requests")
			.withMessageContaining("request 2: Ask[number=2]")
			.withMessageContaining("reals[9]: ")
			.withMessageNotContaining("reals[10]")
			.withMessageNotContaining("request 3")
			.withMessageEndingWith("… and 90 more differences");
	}

	private static Everything withReals(float[] reals) {
		return new Everything(1, 2.5f, "text", Colour.RED, reals, ANSWER.points(), ANSWER.point(), Optional.of(7),
				OptionalDouble.empty());
	}

	@Test
	void failingOnTheSameRequestIsAgreement() {
		assertThat(kernel()).agreesWithItsHandlerOn(new Ask(-1), new Ask(1));
	}

	@Test
	void failingAloneIsDisagreement() {
		assertThatExceptionOfType(AssertionError.class)
			.isThrownBy(() -> assertThat(kernel()).usingHandler((ask) -> ANSWER).agreesWithItsHandlerOn(new Ask(-1)))
			.withMessageContaining("handler answered Everything[integer=1, ")
			.withMessageContaining("kernel failed with io.ringkernel.exception.HandlerFailedException")
			.withMessageContaining("negative");
		assertThatExceptionOfType(AssertionError.class).isThrownBy(() -> assertThat(kernel()).usingHandler((ask) -> {
			throw new IllegalStateException("100 % broken");
		}).agreesWithItsHandlerOn(new Ask(1)))
			.withMessageContaining(
					"handler failed with java.lang.IllegalStateException: 100 % broken, kernel answered");
	}

	@Test
	void handlerWithStateThatBothSidesShareIsNamedAsTheCause() {
		try (TestRuntime<Ask, Ask> adding = TestRuntime.onCpu(Ask.class, Ask.class, new Adding())) {
			assertThatExceptionOfType(AssertionError.class)
				.isThrownBy(() -> assertThat(adding.kernel()).agreesWithItsHandlerOn(new Ask(3)))
				.withMessageContaining("number: handler 3, kernel 6")
				.withMessageEndingWith("The kernel ran on the CPU, so both sides called the same handler object. "
						+ "If it keeps state, compare with another one: usingHandler(new Adding(…)).");
		}
	}

	@Test
	void handlerWithStateIsComparedWithAnotherInstance() {
		try (TestRuntime<Ask, Ask> adding = TestRuntime.onCpu(Ask.class, Ask.class, new Adding())) {
			assertThat(adding.kernel()).usingHandler(new Adding()).agreesWithItsHandlerOn(new Ask(3), new Ask(4));
			assertThatExceptionOfType(AssertionError.class)
				.isThrownBy(
						() -> assertThat(adding.kernel()).usingHandler(new Adding()).agreesWithItsHandlerOn(new Ask(1)))
				.withMessageNotContaining("usingHandler");
		}
	}

	@Test
	void kernelThatCannotBeAskedIsNoDisagreement() {
		kernel().deactivate();
		assertThatExceptionOfType(KernelNotActiveException.class)
			.isThrownBy(() -> assertThat(kernel()).agreesWithItsHandlerOn(new Ask(1)));
	}

	@Test
	void stateOfAKernelIsAsserted() {
		kernel().deactivate();
		assertThat(kernel()).hasState(KernelState.INACTIVE);
		assertThatExceptionOfType(AssertionError.class)
			.isThrownBy(() -> assertThat(kernel()).hasState(KernelState.ACTIVE))
			.withMessage("Ring kernel 'tested' is INACTIVE, not ACTIVE.");
	}

	@Test
	void comparingNothingIsRefused() {
		assertThatIllegalArgumentException().isThrownBy(() -> assertThat(kernel()).agreesWithItsHandlerOn(List.of()))
			.withMessage("There are no requests to compare kernel 'tested' with its handler on. Give at least one.");
	}

	@Test
	void missingDeviceIsVisibleInTheLog(CapturedOutput output) {
		assertThat(this.cpu.kernel()).agreesWithItsHandlerOn(new Ask(1));
		assertThat(output).contains("WARN",
				"No device runs ring kernel 'tested', so its parity with its Java handler was not tested on one: mode 'persistent'",
				"The CPU backend answered");
	}

	@Test
	void missingDeviceSkipsTheTestWhereToldSo() {
		assertThatExceptionOfType(TestAbortedException.class)
			.isThrownBy(() -> assertThat(this.cpu.kernel()).skippingWithoutDevice().agreesWithItsHandlerOn(new Ask(1)))
			.withMessageStartingWith("No device runs ring kernel 'tested'");
		assertThat(kernel()).skippingWithoutDevice().agreesWithItsHandlerOn(new Ask(1));
	}

	@Test
	void missingDeviceFailsTheTestWhereToldSo() {
		assertThatExceptionOfType(AssertionError.class)
			.isThrownBy(() -> assertThat(this.cpu.kernel()).failingWithoutDevice().agreesWithItsHandlerOn(new Ask(1)))
			.withMessageStartingWith("No device runs ring kernel 'tested'");
		assertThat(kernel()).failingWithoutDevice().agreesWithItsHandlerOn(new Ask(1));
	}

	record Ask(int number) {
	}

	@Test
	void aHandlerThatADeviceRunsCompiles() {
		try (TestRuntime<Ask, Ask> doubling = TestRuntime.onCpu(Ask.class, Ask.class, new Doubling())) {
			assertThat(doubling.kernel()).compilesForDevice();
		}
	}

	@Test
	void aHandlerThatNoDeviceRunsIsNamedWithItsLine() {
		try (TestRuntime<Ask, Ask> parsing = TestRuntime.onCpu(Ask.class, Ask.class, new Parsing())) {
			assertThatExceptionOfType(AssertionError.class)
				.isThrownBy(() -> assertThat(parsing.kernel()).compilesForDevice())
				.withMessageMatching(
						"(?s)Ring kernel 'tested' cannot run on a device: .*KernelAssertTests\\$Parsing\\.handle, line \\d+: .+");
		}
	}

	private static final class Doubling implements RingKernelHandler<Ask, Ask> {

		@Override
		public Ask handle(Ask ask) {
			return new Ask(2 * ask.number());
		}

	}

	private static final class Parsing implements RingKernelHandler<Ask, Ask> {

		@Override
		public Ask handle(Ask ask) {
			return new Ask(Integer.parseInt(List.of("1", "2").get(ask.number())));
		}

	}

	/**
	 * Adds up what it is asked; one worker calls it.
	 */
	private static final class Adding implements RingKernelHandler<Ask, Ask> {

		private int sum;

		@Override
		public Ask handle(Ask ask) {
			this.sum += ask.number();
			return new Ask(this.sum);
		}

	}

	record Everything(int integer, float real, @Capacity(8) String string, Colour colour, @Capacity(100) float[] reals,
			@Length(2) Point[] points, Point point, Optional<Integer> optional, OptionalDouble optionalReal) {
	}

	record Point(float x, double y) {
	}

	enum Colour {

		RED, GREEN

	}

}
