package io.ringkernel.compiler.corpus;

import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

import io.ringkernel.Capacity;
import io.ringkernel.Parallel;
import io.ringkernel.RingKernelHandler;

/**
 * Handlers behind one another.
 */
final class Pipelines {

	private Pipelines() {
	}

	static List<Sample<?, ?>> samples() {
		List<Document> documents = Arrays.stream(Inputs.LENGTHS)
			.mapToObj((n) -> new Document(n % 5, "document " + n, Inputs.floats(n, n)))
			.toList();
		List<Score> scores = IntStream.of(0, 1, 39, -7, Integer.MAX_VALUE).mapToObj((n) -> new Score(n, n)).toList();
		RingKernelHandler<Score, Score> counted = new Counted(3).andThen(new Counted(5));
		return List.of(new Sample<>(new Scaled().andThen(new Ranked()), Document.class, Score.class, documents),
				new Sample<>(new Scaled().andThen(doubled(2)).andThen(new Halves()).andThen(new Scaled()),
						Document.class, Features.class, documents),
				new Sample<>(counted.andThen(new Quotient()).andThen(counted), Score.class, Score.class, scores),
				new Sample<>(new Counted(1).andThen((score) -> new Score(score.total() - 1, score.seen())), Score.class,
						Score.class, scores),
				new Sample<>(new Chosen(new Counted(2), new Quotient()), Score.class, Score.class, scores));
	}

	record Document(int id, @Capacity(32) String name, @Capacity(1024) float[] values) {
	}

	record Features(int id, @Capacity(32) String name, @Capacity(1024) float[] values) {
	}

	record Score(long total, int seen) {

		Score {
			if (total == 42) {
				throw new IllegalStateException("The total is the answer");
			}
		}

	}

	/** Also what answers with what it is asked: a stage behind itself. */
	static final class Scaled implements RingKernelHandler<Document, Features> {

		private final float factor = 1.5f;

		@Override
		public Features handle(Document request) {
			float[] values = new float[request.values().length];
			Parallel.range(values.length, (i) -> values[i] = this.factor * request.values()[i] + request.id());
			return new Features(request.id() + 1, request.name(), values);
		}

	}

	/** Makes an array whose length is no number of the request. */
	static final class Halves implements RingKernelHandler<Features, Document> {

		@Override
		public Document handle(Features request) {
			float[] halves = new float[request.values().length / 2];
			Parallel.range(halves.length, (i) -> halves[i] = request.values()[2 * i] - request.values()[2 * i + 1]);
			return new Document(request.id(), request.name(), halves);
		}

	}

	/** Keeps the greatest number that it has seen of each name. */
	static final class Ranked implements RingKernelHandler<Features, Score> {

		private final int[] seen = new int[8];

		private long requests;

		@Override
		public Score handle(Features request) {
			this.requests++;
			float sum = Parallel.sumFloat(request.values().length, (i) -> request.values()[i]);
			int before = Parallel.atomicMax(this.seen, request.id() & 7, request.name().length());
			return new Score((long) sum + this.requests, before);
		}

	}

	/** Has state, as the other one of its class has. */
	static final class Counted implements RingKernelHandler<Score, Score> {

		private final int step;

		private int seen;

		Counted(int step) {
			this.step = step;
		}

		@Override
		public Score handle(Score request) {
			this.seen += this.step;
			return new Score(request.total() + this.step, this.seen);
		}

	}

	static final class Quotient implements RingKernelHandler<Score, Score> {

		@Override
		public Score handle(Score request) {
			return new Score(1000 / (request.total() - 8), request.seen());
		}

	}

	/** Which handler answers depends on the request; one of them may answer all. */
	static final class Chosen implements RingKernelHandler<Score, Score> {

		private final Counted counted;

		private final RingKernelHandler<Score, Score> other;

		Chosen(Counted counted, RingKernelHandler<Score, Score> other) {
			this.counted = counted;
			this.other = other;
		}

		@Override
		public Score handle(Score request) throws Exception {
			Score score = this.counted.handle(request);
			if (request.seen() % 2 == 0) {
				return score;
			}
			return this.other.handle(score);
		}

	}

	private static RingKernelHandler<Features, Features> doubled(int factor) {
		return (request) -> {
			float[] values = new float[request.values().length];
			Parallel.range(values.length, (i) -> values[i] = factor * request.values()[i]);
			return new Features(request.id(), request.name(), values);
		};
	}

}
