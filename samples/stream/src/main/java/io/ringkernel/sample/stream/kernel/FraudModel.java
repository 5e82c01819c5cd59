package io.ringkernel.sample.stream.kernel;

import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.function.Function;

import io.ringkernel.RingKernelClient;
import io.ringkernel.models.Model;
import io.ringkernel.models.forest.InvalidModelException;
import io.ringkernel.models.kernel.ScoreRequest;

import org.springframework.stereotype.Component;

/**
 * The model that this node scores by. The kernel holds one: it is replaced between two
 * polls, not within one. Each score names the model that made it, so nodes need not
 * change theirs at the same record.
 */
@Component
public class FraudModel {

	private static final int HALF = 0;

	private final RingKernelClient<CardRequest, CardResponse> kernel;

	/** Read by polls, which name the model, and written to store another one. */
	private final ReentrantReadWriteLock lock = new ReentrantReadWriteLock();

	private Model model;

	FraudModel(RingKernelClient<CardRequest, CardResponse> kernel, Model model) {
		this.kernel = kernel;
		this.model = model;
	}

	/**
	 * Scores by the model, which stays what it is meanwhile.
	 * @param <T> the scores
	 * @param scoring what scores by a model
	 * @return the scores
	 */
	public <T> T score(Function<Model, T> scoring) {
		this.lock.readLock().lock();
		try {
			return scoring.apply(this.model);
		}
		finally {
			this.lock.readLock().unlock();
		}
	}

	/**
	 * Puts another model into service.
	 * @param next the model
	 * @throws InvalidModelException if the kernel cannot hold it. The model before stays
	 * in service
	 */
	public void replace(Model next) {
		check(next);
		this.lock.writeLock().lock();
		try {
			store(next);
			this.model = next;
		}
		finally {
			this.lock.writeLock().unlock();
		}
	}

	/** Stores the model in a kernel that has lost it. */
	public void restore() {
		this.lock.writeLock().lock();
		try {
			store(this.model);
		}
		finally {
			this.lock.writeLock().unlock();
		}
	}

	/** In each replica. If one gets another state meanwhile, the next score is stale. */
	private void store(Model stored) {
		for (ScoreRequest words : stored.image().loads(HALF, CardRequest.MAX_WORDS)) {
			if (this.kernel.broadcast(CardRequest.load(words))
				.stream()
				.anyMatch((response) -> response.outcome() == Outcome.STALE)) {
				return;
			}
		}
	}

	/**
	 * Checks that the kernel can hold a model.
	 * @param model the model
	 * @return the same
	 * @throws InvalidModelException if it cannot
	 */
	static Model check(Model model) {
		if (model.features() != CardScoring.FEATURES || model.groups() != 1) {
			throw new InvalidModelException("The model of %s has %d features and %d outputs. Train one with %d and 1."
				.formatted(model.source(), model.features(), model.groups(), CardScoring.FEATURES));
		}
		if (model.image().length() > CardScoring.MODEL_WORDS) {
			throw new InvalidModelException("The model of %s takes %d words. Train one that takes %d at most."
				.formatted(model.source(), model.image().length(), CardScoring.MODEL_WORDS));
		}
		return model;
	}

}
