package io.ringkernel.spring.ai.graph;

import java.util.PriorityQueue;
import java.util.Queue;
import java.util.stream.Stream;

/**
 * The nearest of the points that a search comes to. Used by one thread.
 */
final class NearestPoints {

	private final int wanted;

	/** The farthest first. */
	private final Queue<Scored> nearest = new PriorityQueue<>();

	NearestPoints(int wanted) {
		this.wanted = wanted;
	}

	boolean isNear(float score) {
		return this.nearest.size() < this.wanted || score > this.nearest.element().score();
	}

	void add(GraphPoint point, float score) {
		if (isNear(score)) {
			this.nearest.add(new Scored(point, score));
			if (this.nearest.size() > this.wanted) {
				this.nearest.remove();
			}
		}
	}

	/** The points, each once, in no order. */
	Stream<GraphPoint> points() {
		return this.nearest.stream().map(Scored::point).distinct();
	}

	private record Scored(GraphPoint point, float score) implements Comparable<Scored> {

		@Override
		public int compareTo(Scored other) {
			return Float.compare(this.score, other.score);
		}

	}

}
