package io.ringkernel.sample.stream.kernel;

import io.ringkernel.Parallel;
import io.ringkernel.RingKernelHandler;
import io.ringkernel.models.Model;
import io.ringkernel.models.kernel.ScoreRequest;
import io.ringkernel.models.kernel.ScoreResponse;
import io.ringkernel.models.kernel.TreeEnsembleHandler;
import io.ringkernel.spring.RingKernel;

import org.springframework.stereotype.Component;

/**
 * Scores transactions by a model, from what it keeps of their cards. On a device, these
 * fields are arrays in its memory, and the model is, too.
 * <p>
 * Each partition of the topic has a region of the arrays, which is a hash table with
 * linear probing, and an epoch. A request that names another epoch changes nothing: it
 * was made for a state that the kernel does not hold, because the kernel was relaunched,
 * moved to another backend, or was told to forget the partition meanwhile. So does one
 * that names another model.
 * <p>
 * The handler of the model is a part of this one, and no stage of a pipeline behind it:
 * whether the kernel holds the model has to be known before the features of the card are
 * changed.
 */
@Component
@RingKernel(id = "card-scoring")
public class CardScoring implements RingKernelHandler<CardRequest, CardResponse> {

	/** What a row of the model has. */
	static final int FEATURES = 5;

	/** The most words that a model may have: 512 KiB. */
	static final int MODEL_WORDS = 1 << 16;

	/** The weight of the latest amount in the average. */
	private static final float WEIGHT = 0.1f;

	private final TreeEnsembleHandler forest;

	private final int cardsPerPartition;

	private final long[] epochs;

	/** The number of the card at each place; 0 at a free place. */
	private final long[] cards;

	private final int[] counts;

	private final float[] averages;

	private final float[] latitudes;

	private final float[] longitudes;

	/**
	 * Creates the handler.
	 * @param properties how many partitions and cards there are
	 * @param model the model that the kernel holds at first
	 */
	public CardScoring(CardStreamProperties properties, Model model) {
		int places = Math.multiplyExact(properties.partitions(), properties.cardsPerPartition());
		this.forest = new TreeEnsembleHandler(model.image(), MODEL_WORDS);
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
		return switch (request.operation()) {
			case CLEAR -> clear(request.partition(), request.epoch());
			case LOAD_MODEL -> loadModel(request.model(), request.offset(), request.words());
			case LOAD_CARD, SCORE -> update(request);
		};
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

	private CardResponse loadModel(long stamp, int offset, long[] words) {
		ScoreResponse stored = this.forest.handle(ScoreRequest.load(0, stamp, offset, words));
		return without(stored.isStale() ? Outcome.STALE : Outcome.DONE);
	}

	private CardResponse update(CardRequest request) {
		if (this.epochs[request.partition()] != request.epoch()) {
			return without(Outcome.STALE);
		}
		int place = find(request.partition(), request.card());
		if (place < 0) {
			return without(Outcome.FULL);
		}
		float margin = 0;
		if (request.operation() == Operation.LOAD_CARD) {
			this.counts[place] = request.features().count();
			this.averages[place] = request.features().average();
		}
		else {
			ScoreResponse scored = this.forest.handle(ScoreRequest.score(0, request.model(), row(place, request)));
			if (scored.isStale()) {
				return without(Outcome.STALE);
			}
			margin = scored.margins()[0];
			count(place, request.amount());
		}
		this.cards[place] = request.card();
		this.latitudes[place] = request.features().latitude();
		this.longitudes[place] = request.features().longitude();
		return new CardResponse(Outcome.DONE, margin, new CardFeatures(this.counts[place], this.averages[place],
				this.latitudes[place], this.longitudes[place]));
	}

	private static CardResponse without(Outcome outcome) {
		return new CardResponse(outcome, 0, new CardFeatures(0, 0, 0, 0));
	}

	/** The place of a card, or that where it belongs; -1 if there is none. */
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
	 * The amount, and of the card before: how many transactions it had, the average of
	 * their amounts, the amount in averages, and how far the place is off the last one,
	 * in degrees. A card without transactions has no last three.
	 */
	private float[] row(int place, CardRequest request) {
		float[] row = new float[FEATURES];
		float average = this.averages[place];
		float north = request.features().latitude() - this.latitudes[place];
		float east = request.features().longitude() - this.longitudes[place];
		boolean isFirst = this.counts[place] == 0;
		row[0] = request.amount();
		row[1] = this.counts[place];
		row[2] = isFirst ? Float.NaN : average;
		row[3] = isFirst ? Float.NaN : request.amount() / average;
		row[4] = isFirst ? Float.NaN : (float) Math.sqrt(north * north + east * east);
		return row;
	}

	private void count(int place, float amount) {
		float average = this.averages[place];
		this.averages[place] = (this.counts[place] == 0) ? amount : average + WEIGHT * (amount - average);
		this.counts[place]++;
	}

}
