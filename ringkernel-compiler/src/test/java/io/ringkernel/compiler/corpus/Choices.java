package io.ringkernel.compiler.corpus;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

import io.ringkernel.Capacity;
import io.ringkernel.Parallel;
import io.ringkernel.RingKernelHandler;

/**
 * Texts of which the code chooses one.
 */
final class Choices {

	private Choices() {
	}

	static List<Sample<?, ?>> samples() {
		List<Question> questions = new ArrayList<>();
		for (String text : List.of("", "one", "größer", "abc", "😀", "middle", "x".repeat(60))) {
			for (int n : List.of(0, 1, 2, 3, 4, 5, 7)) {
				questions.add(new Question(text, n, Unit.values()[n % 3], new int[n]));
			}
		}
		return List.of(sample(new Chosen(), questions), sample(new Switched(), questions),
				sample(new Helped(), questions), sample(new ChangedInLoops(), questions),
				sample(new StateMachine(), questions), sample(new Swapped(), questions),
				sample(new OfConstants(), questions), sample(new Thrown(), questions),
				sample(new ThrownInALoop(), questions), sample(new InRecords(), questions),
				sample(new LongText(), questions), sample(new InParallel(), questions),
				sample(new AlwaysKnown(), questions), sample(new OfSeveralEnums(), questions));
	}

	private static Sample<Question, Answer> sample(RingKernelHandler<Question, Answer> handler,
			List<Question> questions) {
		return new Sample<>(handler, Question.class, Answer.class, questions);
	}

	enum Unit {

		METRE {
			@Override
			String text() {
				return "m";
			}
		},
		SECOND {
			@Override
			String text() {
				return "sec";
			}
		},
		DEGREE {
			@Override
			String text() {
				return (this == DEGREE) ? "°" : "?";
			}
		};

		abstract String text();

	}

	interface Kind {

	}

	enum Length implements Kind {

		METRE, FOOT

	}

	enum Mass implements Kind {

		GRAM, POUND

	}

	record Question(@Capacity(64) String text, int n, Unit unit, @Capacity(8) int[] values) {
	}

	record Answer(@Capacity(64) String text, int length, int last, boolean equal,
			@Capacity(64) Optional<String> maybe) {

		static Answer of(String text, String other) {
			return new Answer(text, text.length() * 100 + other.length(),
					text.isEmpty() ? -1 : text.charAt(text.length() - 1), text.equals(other),
					other.isEmpty() ? Optional.empty() : Optional.of(other));
		}

	}

	/** By a condition, one in another, and beside what the request has. */
	static final class Chosen implements RingKernelHandler<Question, Answer> {

		private final String key = "größer";

		@Override
		public Answer handle(Question request) {
			int n = request.n();
			String text = (n > 2) ? "one" : (n == 1) ? "😀" : this.key;
			String other = (n > 3) ? request.text() : "abc";
			String third;
			if (n > 1) {
				third = "positive";
			}
			else {
				third = "";
			}
			return Answer.of(((n & 1) == 0) ? text : third, (n == 5) ? third : other);
		}

	}

	static final class Switched implements RingKernelHandler<Question, Answer> {

		@Override
		public Answer handle(Question request) {
			String text = switch (request.text()) {
				case "one" -> "1";
				case "größer" -> ">";
				default -> request.text();
			};
			String unit = switch (request.unit()) {
				case METRE -> "abc";
				case SECOND -> "one";
				case DEGREE -> text;
			};
			int number = switch (unit) {
				case "abc" -> 1;
				case "1", ">" -> 2;
				case "one" -> 3;
				default -> unit.hashCode();
			};
			return new Answer(text, number, unit.length(), unit.equals(text), Optional.of(unit));
		}

	}

	/** A method and a lambda that return one of several. */
	static final class Helped implements RingKernelHandler<Question, Answer> {

		@Override
		public Answer handle(Question request) {
			Supplier<String> supplier = () -> {
				if (request.n() == 3) {
					return "three";
				}
				return request.text().isEmpty() ? "nothing" : request.text();
			};
			return Answer.of(named(request.n()), supplier.get());
		}

		private static String named(int n) {
			if (n == 0) {
				return "zero";
			}
			for (int i = 1; i < 4; i++) {
				if (n == i) {
					return "few";
				}
			}
			return (n > 5) ? "many" : "";
		}

	}

	static final class ChangedInLoops implements RingKernelHandler<Question, Answer> {

		@Override
		public Answer handle(Question request) {
			String text = "abc";
			String other = "one";
			int sum = 0;
			for (int i = 0; i < request.n(); i++) {
				sum += text.length();
				for (int j = 0; j < i; j++) {
					text = "de";
					sum++;
				}
				if (i == 3) {
					other = request.text();
				}
			}
			do {
				sum = sum * 3 + other.length();
				other = (sum % 2 == 0) ? "even" : text;
			}
			while (sum < 1000 && !other.equals("de"));
			return new Answer(text, sum, other.hashCode(), text.equals(other), Optional.of(other));
		}

	}

	static final class StateMachine implements RingKernelHandler<Question, Answer> {

		@Override
		public Answer handle(Question request) {
			String state = "begin";
			int steps = 0;
			while (!state.equals("end") && steps < 9) {
				state = switch (state) {
					case "begin" -> "middle";
					case "middle" -> (steps < request.n()) ? "middle" : "late";
					case "late" -> request.text().equals("one") ? "begin" : "end";
					default -> state;
				};
				steps++;
			}
			return Answer.of(state, (steps > 4) ? "long" : "short");
		}

	}

	/** Two variables that change places. */
	static final class Swapped implements RingKernelHandler<Question, Answer> {

		@Override
		public Answer handle(Question request) {
			String one = "one";
			String other = "other";
			String third = request.text();
			for (int i = 0; i < request.n(); i++) {
				String kept = one;
				one = other;
				other = third;
				third = kept;
			}
			return Answer.of(one, other);
		}

	}

	/** Methods of which each constant of an enum has one. */
	static final class OfConstants implements RingKernelHandler<Question, Answer> {

		@Override
		public Answer handle(Question request) {
			return Answer.of(request.unit().text(), Unit.SECOND.text());
		}

	}

	static final class Thrown implements RingKernelHandler<Question, Answer> {

		@Override
		public Answer handle(Question request) {
			String reason = (request.n() > 3) ? "too large" : "odd";
			if (request.n() > 3 || request.n() == 1) {
				throw new IllegalArgumentException(reason);
			}
			if (request.n() == 3) {
				throw new IllegalStateException(request.text().isEmpty() ? "empty" : request.text());
			}
			return Answer.of(reason, request.text());
		}

	}

	/** The text that a loop comes to is behind the place that throws. */
	static final class ThrownInALoop implements RingKernelHandler<Question, Answer> {

		@Override
		public Answer handle(Question request) {
			String reason = "first";
			for (int i = 0; i < request.n(); i++) {
				if (i + 3 > request.text().length() && i > 1) {
					throw new IllegalStateException(reason);
				}
				reason = "later";
			}
			return Answer.of(reason, request.text());
		}

	}

	record Pair(String text, int number) {

		Pair {
			if (text.length() > 50) {
				throw new IllegalArgumentException("a long text");
			}
		}

	}

	static final class InRecords implements RingKernelHandler<Question, Answer> {

		private static final Pair KNOWN = new Pair("known", 1);

		private final Pair mine = new Pair("mine", 2);

		@Override
		public Answer handle(Question request) {
			Pair pair = (request.n() > 2) ? this.mine : (request.n() == 1) ? KNOWN : new Pair(request.text(), 3);
			for (int i = 0; i < request.n(); i++) {
				pair = new Pair((i > 1) ? "loop" : pair.text(), pair.number() + i);
			}
			return new Answer(pair.text(), pair.number(), 0, pair.text().equals(this.mine.text()), Optional.empty());
		}

	}

	/** Each character of a text that is too long to be looked for at once. */
	static final class LongText implements RingKernelHandler<Question, Answer> {

		private static final String LONG = "Ä" + "0123456789".repeat(40) + "!";

		@Override
		public Answer handle(Question request) {
			return new Answer("", LONG.charAt(request.n() * 80 - 1), LONG.charAt(LONG.length() - 1), false,
					Optional.empty());
		}

	}

	static final class InParallel implements RingKernelHandler<Question, Answer> {

		@Override
		public Answer handle(Question request) {
			int[] lengths = new int[64];
			String outside = (request.n() > 1) ? "several" : "one";
			Parallel.range(lengths.length, (i) -> {
				String text = (i % 3 == 0) ? "three" : (i % 5 == 0) ? outside : request.text();
				String found = "";
				for (int j = 0; j < i % 4; j++) {
					found = (j == 2) ? text : "j";
				}
				if (found.equals("three") && request.n() == 7) {
					throw new IllegalStateException((i > 20) ? "late" : "early");
				}
				lengths[i] = text.length() * 10 + found.length();
			});
			return new Answer(outside, Parallel.sumInt(lengths.length, (i) -> lengths[i] * i), lengths[15], false,
					Optional.empty());
		}

	}

	/** A text below a choice on the stack is no choice. */
	static final class AlwaysKnown implements RingKernelHandler<Question, Answer> {

		@Override
		public Answer handle(Question request) {
			require("n is negative", request.n() >= 0 && request.n() < 5);
			String text = "abc";
			int length = 0;
			for (int i = 0; i < request.n(); i++) {
				length += text.length();
			}
			return new Answer(text, length, 0, text.equals("abc"), Optional.empty());
		}

		private static void require(String message, boolean isTrue) {
			if (!isTrue) {
				throw new IllegalArgumentException(message);
			}
		}

	}

	/** Constants of two enums differ, whatever their ordinals. */
	static final class OfSeveralEnums implements RingKernelHandler<Question, Answer> {

		@Override
		public Answer handle(Question request) {
			Kind kind = Mass.GRAM;
			Length length = (request.n() > 2) ? Length.METRE : Length.FOOT;
			int same = (same(Length.METRE, Mass.GRAM) ? 1 : 0) + (same(length, Mass.POUND) ? 2 : 0)
					+ (same(length, Length.FOOT) ? 4 : 0) + ((kind == Length.METRE) ? 8 : 0);
			int differing = (differ(request.unit(), Mass.GRAM) ? 1 : 0) + (differ(length, Length.METRE) ? 2 : 0)
					+ ((kind != Length.METRE) ? 4 : 0) + (differ(kind, Mass.GRAM) ? 8 : 0);
			return new Answer("", same, differing, false, Optional.empty());
		}

		private static boolean same(Kind one, Kind other) {
			return one == other;
		}

		private static <T> boolean differ(T one, T other) {
			return one != other;
		}

	}

}
