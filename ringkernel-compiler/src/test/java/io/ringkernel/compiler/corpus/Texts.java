package io.ringkernel.compiler.corpus;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

import io.ringkernel.Capacity;
import io.ringkernel.Length;
import io.ringkernel.Parallel;
import io.ringkernel.RingKernelHandler;

/**
 * Texts, and arrays of records.
 */
final class Texts {

	/** Characters of one to four bytes, at the edges of each. */
	private static final List<String> TEXTS = List.of("", "a", "sum", "max", "\u0000\u007f", "\u0080é\u07ff",
			"\u0800€\ud7ff\ue000\uffff", "\ud800\udc00😀\udbff\udfff", "a😀bé€c", "the quick brown fox jumps over it",
			"Größe: 3 µm");

	private Texts() {
	}

	static List<Sample<?, ?>> samples() {
		List<Words> words = new ArrayList<>();
		for (int i = 0; i < TEXTS.size(); i++) {
			for (int index : List.of(0, 1, 4, -1, 40)) {
				String text = TEXTS.get(i);
				String other = ((i + index) % 3 == 0) ? text : TEXTS.get((i + 3) % TEXTS.size());
				words.add(new Words(text, (index == 1) ? Optional.empty() : Optional.of(other), other, index));
			}
		}
		List<Path> paths = new ArrayList<>();
		for (int n : List.of(0, 1, 2, 31, 33)) {
			Step[] steps = new Step[n];
			for (int i = 0; i < n; i++) {
				steps[i] = new Step((byte) i, i * 0.1 - 1, new Turn((i & 1) == 0, Side.values()[i % 2]),
						(i % 3 == 0) ? Optional.of((short) -i) : Optional.empty(), new float[] { i, -i, i / 7f });
			}
			paths.add(new Path(steps, new Turn[] { new Turn(true, Side.RIGHT), new Turn(n == 0, Side.LEFT) }, n - 1));
		}
		return List.of(new Sample<>(new SameWords(), Words.class, Words.class, words),
				new Sample<>(new Counted(), Words.class, Counts.class, words),
				new Sample<>(new CharacterAt(), Words.class, Counts.class, words),
				new Sample<>(new Commands(), Words.class, Words.class, words),
				new Sample<>(new Letters(), Words.class, Histogram.class, words),
				new Sample<>(new SamePath(), Path.class, Path.class, paths),
				new Sample<>(new Walk(), Path.class, Distances.class, paths));
	}

	record Words(@Capacity(64) String text, @Capacity(64) Optional<String> maybe, @Capacity(64) String other,
			int index) {
	}

	record Counts(int length, int other, boolean empty, boolean equal, int hash, int known) {
	}

	record Histogram(@Capacity(64) int[] letters, int vowels) {
	}

	/** Texts go back as they came, measured or not. */
	static final class SameWords implements RingKernelHandler<Words, Words> {

		@Override
		public Words handle(Words request) {
			return request;
		}

	}

	static final class Counted implements RingKernelHandler<Words, Counts> {

		private final String key = "Größe: 3 µm";

		@Override
		public Counts handle(Words request) {
			String text = request.text();
			boolean equal = text.equals(request.other()) || request.other().equals(request.maybe().orElse("max"));
			return new Counts(text.length(), request.maybe().isPresent() ? request.maybe().get().length() : -1,
					text.isEmpty(), equal, request.other().hashCode(),
					(this.key.equals(text) ? 1 : 0) + (text.equals("sum") ? 2 : 0) + (text.equals("") ? 4 : 0)
							+ this.key.length() + "sum".hashCode());
		}

	}

	/** An index beyond the end fails. */
	static final class CharacterAt implements RingKernelHandler<Words, Counts> {

		@Override
		public Counts handle(Words request) {
			char first = "ACGT\u00e9".charAt(request.index());
			char last = request.text().charAt(request.text().length() - 1);
			return new Counts(first, last, false, first == last, request.text().charAt(request.index()), 0);
		}

	}

	/** A switch over texts, and texts that the code has. */
	static final class Commands implements RingKernelHandler<Words, Words> {

		private static final String UNKNOWN = "unbekannt: €";

		@Override
		public Words handle(Words request) {
			int number = switch (request.text()) {
				case "sum" -> 1;
				case "max" -> 2;
				case "a😀bé€c" -> 3;
				case "" -> 4;
				default -> 5;
			};
			return new Words(UNKNOWN, (number > 2) ? Optional.of("viel") : Optional.empty(), request.text(), number);
		}

	}

	static final class Letters implements RingKernelHandler<Words, Histogram> {

		@Override
		public Histogram handle(Words request) {
			String text = request.text();
			int[] letters = new int[text.length()];
			Parallel.range(letters.length, (i) -> letters[i] = text.charAt(i));
			return new Histogram(letters, Parallel.sumInt(text.length(), (i) -> isVowel(text.charAt(i)) ? 1 : 0));
		}

		private static boolean isVowel(char letter) {
			boolean found = false;
			for (int i = 0; i < "aeiou".length(); i++) {
				found |= "aeiou".charAt(i) == letter;
			}
			return found;
		}

	}

	enum Side {

		LEFT, RIGHT

	}

	record Turn(boolean sharp, Side side) {
	}

	record Step(byte kind, double length, Turn turn, Optional<Short> height, @Length(3) float[] point) {

		double weighted() {
			return this.turn.sharp() ? this.length * 2 : this.length;
		}

	}

	record Path(@Capacity(40) Step[] steps, @Length(2) Turn[] ends, int index) {
	}

	record Distances(double length, int kind, short height, boolean sharp, @Capacity(40) float[] heights) {
	}

	static final class SamePath implements RingKernelHandler<Path, Path> {

		@Override
		public Path handle(Path request) {
			return request;
		}

	}

	static final class Walk implements RingKernelHandler<Path, Distances> {

		@Override
		public Distances handle(Path request) {
			Step[] steps = request.steps();
			float[] heights = new float[steps.length];
			Parallel.range(heights.length, (i) -> {
				Step step = steps[i];
				heights[i] = step.point()[i % 3] + step.height().orElse((short) 100);
			});
			double weighted = 0;
			for (Step step : steps) {
				if (step.turn().side() == Side.RIGHT) {
					weighted += step.weighted();
				}
			}
			Step last = steps[request.index()];
			return new Distances(weighted + Parallel.sumDouble(steps.length, (i) -> steps[i].length()), last.kind(),
					last.height().orElse((short) 7), request.ends()[request.index() & 1].sharp(), heights);
		}

	}

}
