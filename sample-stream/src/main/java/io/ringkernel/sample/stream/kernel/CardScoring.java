package io.ringkernel.sample.stream.kernel;

import io.ringkernel.Parallel;
import io.ringkernel.RingKernelHandler;
import io.ringkernel.spring.RingKernel;

import org.springframework.stereotype.Component;

/**
 * Scores transactions by what it keeps of their cards. On a device, these fields are
 * arrays in its memory.
 * <p>
 * Each partition of the topic has a region of the arrays, which is a hash table with
 * linear probing, and an epoch. A request that names another epoch changes nothing: it
 * was made for a state that the kernel does not hold, because the kernel was relaunched,
 * moved to another backend, or was told to forget the partition meanwhile.
 */
@Component
@RingKernel(id = "card-scoring")
public class CardScoring implements RingKernelHandler<CardRequest, CardResponse> {

	/** The weight of the latest amount in the average. */
	private static final float WEIGHT = 0.1f;

	private final int cardsPerPartition;

	private final long[] epochs;

	/** The number of the card at each place; 0 at a free place. */
	private final long[] cards;

	private final int[] counts;

	private final float[] averages;

	private final float[] latitudes;

	private final float[] longitudes;

	public CardScoring(CardStreamProperties properties) {
		int places = Math.multiplyExact(properties.partitions(), properties.cardsPerPartition());
		this.cardsPerPartition = properties.cardsPerPartition();
		this.epochs = new long[properties.partitions()];
		this.cards = new long[places];
		this.counts = new int[places];
		this.averages = new float[places];
		this.latitudes = new float[places];
		this.longitudes = new float[places];
	}

	@Override
	public CardResponse handle(CardRequest request) {
		if (request.operation() == Operation.CLEAR) {
			return clear(request.partition(), request.epoch());
		}
		if (this.epochs[request.partition()] != request.epoch()) {
			return without(Outcome.STALE);
		}
		int place = find(request.partition(), request.card());
		if (place < 0) {
			return without(Outcome.FULL);
		}
		float score = 0;
		if (request.operation() == Operation.LOAD) {
			this.counts[place] = request.features().count();
			this.averages[place] = request.features().average();
		}
		else {
			score = score(place, request.amount(), request.features().latitude(), request.features().longitude());
		}
		this.cards[place] = request.card();
		this.latitudes[place] = request.features().latitude();
		this.longitudes[place] = request.features().longitude();
		return new CardResponse(Outcome.DONE, score, new CardFeatures(this.counts[place], this.averages[place],
				this.latitudes[place], this.longitudes[place]));
	}

	private CardResponse clear(int partition, long epoch) {
		int first = partition * this.cardsPerPartition;
		Parallel.range(this.cardsPerPartition, (i) -> {
			this.cards[first + i] = 0;
			this.counts[first + i] = 0;
		});
		this.epochs[partition] = epoch;
		return without(Outcome.DONE);
	}

	private static CardResponse without(Outcome outcome) {
		return new CardResponse(outcome, 0, new CardFeatures(0, 0, 0, 0));
	}

	/**
	 * The place of a card, or that where it belongs; -1 if there is none.
	 */
	private int find(int partition, long card) {
		int first = partition * this.cardsPerPartition;
		int start = (int) Math.floorMod(card * 0x9E3779B97F4A7C15L, (long) this.cardsPerPartition);
		for (int i = 0; i < this.cardsPerPartition; i++) {
			int place = first + (start + i) % this.cardsPerPartition;
			if (this.cards[place] == card || this.cards[place] == 0) {
				return place;
			}
		}
		return -1;
	}

	/**
	 * How far the amount is off the average, in averages, plus how far the place is off
	 * the last one, in degrees.
	 */
	private float score(int place, float amount, float latitude, float longitude) {
		int count = this.counts[place]++;
		float average = this.averages[place];
		if (count == 0) {
			this.averages[place] = amount;
			return 0;
		}
		this.averages[place] = average + WEIGHT * (amount - average);
		float north = latitude - this.latitudes[place];
		float east = longitude - this.longitudes[place];
		return Math.abs(amount - average) / average + (float) Math.sqrt(north * north + east * east);
	}

}
