package io.ringkernel.test.ptx;

import java.lang.reflect.Array;
import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import io.ringkernel.Parallel;
import io.ringkernel.RingKernelHandler;
import io.ringkernel.backend.FailurePoint;
import io.ringkernel.exception.InvalidMessageException;
import io.ringkernel.test.ptx.HandlerCalls.Outcome;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Compares what a handler answers in Java and on the machine or a device. A NaN is like
 * another; -0.0 is not like 0.0.
 */
public final class Parity {

	private Parity() {
	}

	public static <I extends Record, O extends Record> void check(RingKernelHandler<I, O> handler,
			HandlerCalls<I, O> bench, I request, int threads) throws InterruptedException {
		Outcome outcome = bench.handle(request, threads);
		assertThat(outcome.accepted()).as(() -> text(request) + " is a request").isTrue();
		O expected;
		try {
			expected = handler.handle(request);
		}
		catch (Exception ex) {
			assertThat(outcome.failure()).as(() -> "Java throws %s for %s".formatted(ex, text(request))).isNotNull();
			assertThat(outcome.failure().exception()).as(() -> "the failure of " + text(request))
				.isEqualTo(ex.getClass().getName());
			checkPlace(outcome.failure(), ex);
			checkMessage(outcome.failure(), ex);
			return;
		}
		assertThat(outcome.failure()).as(() -> "Java answers %s to %s".formatted(text(expected), text(request)))
			.isNull();
		if (outcome.response() == null) {
			assertThatExceptionOfType(InvalidMessageException.class)
				.as(() -> "the response to %s is invalid there alone".formatted(text(request)))
				.isThrownBy(() -> bench.responses().measure(expected));
			return;
		}
		assertThat(content(outcome.response())).as(() -> "the response to " + text(request))
			.isEqualTo(content(expected));
	}

	/**
	 * Compares the line. The JVM leaves out where it has thrown an exception that it has
	 * thrown often.
	 */
	private static void checkPlace(FailurePoint failure, Exception thrown) {
		Stream.of(thrown.getStackTrace())
			.filter((frame) -> !isOfPlatform(frame) && !isParallel(frame))
			.findFirst()
			.ifPresent((frame) -> assertThat(failure).as(() -> "where %s is thrown".formatted(thrown))
				.extracting(FailurePoint::className, FailurePoint::methodName, FailurePoint::line)
				.containsExactly(frame.getClassName(), frame.getMethodName(), frame.getLineNumber()));
	}

	/**
	 * A message is left out that has a value of the request, or of the JDK. The JVM
	 * leaves it out with the line.
	 */
	private static void checkMessage(FailurePoint failure, Exception thrown) {
		String message = failure.message();
		if (message != null && !message.contains("…") && thrown.getStackTrace().length > 0) {
			assertThat(message).isEqualTo(thrown.getMessage());
		}
	}

	private static boolean isOfPlatform(StackTraceElement frame) {
		return frame.getClassName().startsWith("java.") || frame.getClassName().startsWith("jdk.");
	}

	private static boolean isParallel(StackTraceElement frame) {
		return frame.getClassName().equals(Parallel.class.getName());
	}

	static String text(Record message) {
		return message.getClass().getSimpleName() + content(message);
	}

	/** Boxed values are equal as their bits are, except for those of a NaN. */
	private static Object content(Object value) {
		if (value instanceof Record message) {
			List<Object> components = new ArrayList<>();
			for (RecordComponent component : message.getClass().getRecordComponents()) {
				components.add(content(component(message, component)));
			}
			return components;
		}
		if (value.getClass().isArray()) {
			return IntStream.range(0, Array.getLength(value)).mapToObj((i) -> content(Array.get(value, i))).toList();
		}
		return (value instanceof Optional<?> optional) ? optional.map(Parity::content) : value;
	}

	private static Object component(Record message, RecordComponent component) {
		try {
			component.getAccessor().setAccessible(true);
			return component.getAccessor().invoke(message);
		}
		catch (ReflectiveOperationException ex) {
			throw new IllegalStateException(ex);
		}
	}

}
