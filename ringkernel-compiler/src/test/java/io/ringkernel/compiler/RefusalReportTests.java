package io.ringkernel.compiler;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

import io.ringkernel.Capacity;
import io.ringkernel.Parallel;
import io.ringkernel.RingKernelHandler;
import io.ringkernel.exception.HandlerRefusedException;
import io.ringkernel.message.MessageLayout;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

/**
 * One report has all that a handler is refused for: each place once, in the order of the
 * lines, and nothing that merely follows from another refusal.
 */
class RefusalReportTests {

	private static final String SIGN = "%s shows the sign of a NaN, which differs from machine to machine";

	@Test
	void allPlacesInTheOrderOfTheirLines() {
		HandlerRefusedException report = report(new Several());
		assertThat(report.refusals()).extracting(HandlerRefusedException::reason)
			.containsExactly("the static field count is not final", SIGN.formatted("Math.copySign"),
					"the static field count is not final", SIGN.formatted("Float.floatToRawIntBits"),
					"java.lang.System.nanoTime is called", "handle has a catch or synchronized block",
					SIGN.formatted("Math.copySign"), "java.lang.Thread.yield is called");
		assertThat(report.refusals()).extracting(HandlerRefusedException::line).isSorted().doesNotContain(0);
		assertThat(report.refusals().get(0)).extracting(HandlerRefusedException::line).isEqualTo(report.line());
	}

	@Test
	void theMessageListsThem() {
		HandlerRefusedException report = report(new Several());
		assertThat(report).hasMessageStartingWith("8 places of the handler cannot run on a device:%n- ".formatted());
		assertThat(report.getMessage().lines().skip(1)).containsExactlyElementsOf(
				report.refusals().stream().map((refusal) -> "- " + refusal.getMessage()).toList());
	}

	@Test
	void theMethodOfALambdaIsTheOneAroundIt() {
		assertThat(report(new Several()).refusals()).extracting(HandlerRefusedException::methodName)
			.containsOnly("handle", "step");
	}

	@Test
	void aMethodThatIsCalledTwiceIsReportedOnce() {
		HandlerRefusedException report = report(new Twice());
		assertThat(report.refusals()).containsExactly(report);
		assertThat(report).hasMessageContaining("Twice.angle, line ");
	}

	@Test
	void whatFollowsFromARefusalIsNoRefusal() {
		assertThat(report(new Following()).refusals()).extracting(HandlerRefusedException::reason)
			.containsExactly("an object of java.util.HashMap is made", "an object of java.util.ArrayList is made",
					"a reference is compared with null", "java.util.List.of is called");
	}

	@Test
	void ofALocalVariableOnlyTheFirstUse() {
		assertThat(report(new Undecided()).refusals()).extracting(HandlerRefusedException::reason)
			.containsExactly("the local variable function has values of different kinds");
	}

	@Test
	void allComponentsOfTheResponse() {
		MessageLayout<Numbers> requests = MessageLayout.of(Numbers.class);
		MessageLayout<Absent> responses = MessageLayout.of(Absent.class);
		HandlerRefusedException report = catchThrowableOfType(HandlerRefusedException.class,
				() -> HandlerCompiler.compile(new Answering(), requests, responses));
		assertThat(report.refusals()).extracting(HandlerRefusedException::reason)
			.containsExactly("the response has a component 'one' of type int[]",
					"the response has a component 'other' of type double[]");
	}

	@Test
	void theMessageHasTwentyAndTellsHowManyMore() {
		String className = "com.example.Handler";
		HandlerRefusedException report = HandlerRefusedException.of(IntStream.rangeClosed(1, 23)
			.mapToObj((line) -> new HandlerRefusedException(className, "handle", line, "a reason", "A remedy."))
			.toList());
		assertThat(report.refusals()).hasSize(23);
		assertThat(report.getMessage().lines()).hasSize(22)
			.contains("- com.example.Handler.handle, line 20: a reason. A remedy.")
			.endsWith("- and 3 more");
	}

	@Test
	void methodsThatCallEachOtherEndTheReport() {
		assertThat(report(new Deep()).refusals()).extracting(HandlerRefusedException::reason)
			.containsExactly("Math.random is called", "ping calls itself");
	}

	private static HandlerRefusedException report(RingKernelHandler<Numbers, Numbers> handler) {
		MessageLayout<Numbers> layout = MessageLayout.of(Numbers.class);
		return catchThrowableOfType(HandlerRefusedException.class,
				() -> HandlerCompiler.compile(handler, layout, layout));
	}

	record Numbers(double number, @Capacity(16) int[] values) {
	}

	record Absent(@Capacity(4) int @Nullable [] one, @Capacity(4) double @Nullable [] other) {
	}

	static final class Several implements RingKernelHandler<Numbers, Numbers> {

		private static int count;

		@Override
		public Numbers handle(Numbers request) {
			count++;
			double sum = Math.copySign(1, request.number()) + count;
			int[] values = new int[request.values().length];
			Parallel.range(values.length, (i) -> {
				values[i] = Float.floatToRawIntBits(request.values()[i]);
				values[i] += (int) (System.nanoTime() & 1);
			});
			try {
				sum += step(sum);
			}
			catch (ArithmeticException ex) {
				sum = 0;
			}
			return new Numbers(sum + step(1), values);
		}

		private static double step(double value) {
			double step = Math.copySign(value, 2);
			Thread.yield();
			return step;
		}

	}

	static final class Twice implements RingKernelHandler<Numbers, Numbers> {

		@Override
		public Numbers handle(Numbers request) {
			return new Numbers(angle(request.number()) + angle(1), request.values());
		}

		private static double angle(double number) {
			return Math.copySign(number, 2);
		}

	}

	static final class Following implements RingKernelHandler<Numbers, Numbers> {

		@Override
		public Numbers handle(Numbers request) {
			Map<Integer, String> names = new HashMap<>();
			names.put(1, "one");
			List<Integer> numbers = new ArrayList<>();
			for (int value : request.values()) {
				numbers.add(value);
				names.computeIfAbsent(value, (key) -> "n" + key);
			}
			String name = names.get(1);
			int length = (name != null) ? name.length() : 0;
			int[] values = new int[numbers.size()];
			Parallel.range(values.length, (i) -> values[i] = numbers.get(i) + length);
			double sum = total(numbers);
			for (int more : List.of(1, 2)) {
				sum += more;
			}
			return new Numbers(sum, values);
		}

		private static double total(List<Integer> numbers) {
			double total = 0;
			for (Integer number : numbers) {
				total += number;
			}
			return total;
		}

	}

	static final class Undecided implements RingKernelHandler<Numbers, Numbers> {

		@Override
		public Numbers handle(Numbers request) {
			java.util.function.IntUnaryOperator function;
			if (request.number() > 0) {
				function = (value) -> value + 1;
			}
			else {
				function = (value) -> value - 1;
			}
			int one = function.applyAsInt(1);
			int other = function.applyAsInt(2);
			return new Numbers(one + other, request.values());
		}

	}

	static final class Answering implements RingKernelHandler<Numbers, Absent> {

		@Override
		public Absent handle(Numbers request) {
			return new Absent(request.values(), new double[4]);
		}

	}

	static final class Deep implements RingKernelHandler<Numbers, Numbers> {

		@Override
		public Numbers handle(Numbers request) {
			return new Numbers(ping(Math.random()), request.values());
		}

		private static double ping(double value) {
			return (value > 1) ? pong(value) + pong(value - 1) : 1;
		}

		private static double pong(double value) {
			return ping(value - 1) * ping(value - 2);
		}

	}

}
