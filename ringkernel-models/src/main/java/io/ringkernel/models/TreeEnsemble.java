package io.ringkernel.models;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;

import io.ringkernel.backend.DeviceLostException;
import io.ringkernel.backend.KernelOptions;
import io.ringkernel.exception.InvalidMessageException;
import io.ringkernel.exception.KernelStuckException;
import io.ringkernel.exception.RequestInterruptedException;
import io.ringkernel.exception.RingKernelException;
import io.ringkernel.models.forest.InvalidModelException;
import io.ringkernel.models.kernel.EnsembleImage;
import io.ringkernel.models.kernel.ScoreRequest;
import io.ringkernel.models.kernel.ScoreResponse;
import io.ringkernel.platform.BackendKind;
import io.ringkernel.runtime.Kernel;

import org.springframework.core.io.Resource;

/**
 * An ensemble of decision trees that a ring kernel scores. All methods take the features
 * of one or more rows, one row after another; {@code NaN} is a missing feature. Any
 * number of threads may call them, also while another model is {@linkplain #reload
 * loaded}. A call is answered by one model as a whole. It throws an
 * {@link InvalidMessageException} if the number of features is not that of rows, or if a
 * feature is missing and must not be.
 *
 * @since 0.2.0
 */
public final class TreeEnsemble {

	/** A smaller part of a batch is scored sooner than another message is sent. */
	private static final int MIN_ROWS_PER_REQUEST = 32;

	private static final int MAX_ATTEMPTS = 10;

	private final String name;

	private final Kernel<ScoreRequest, ScoreResponse> kernel;

	private final int capacity;

	private final boolean refusesMissing;

	/** Held from before a model is put into service until after it. */
	private final ReentrantLock reloading = new ReentrantLock();

	/**
	 * Held while words are stored. Not while a reload waits for calls: they may have to
	 * store a model again.
	 */
	private final ReentrantLock loading = new ReentrantLock();

	private volatile ServedModel served;

	/** The model that was in the other half. */
	private ServedModel retired;

	private volatile int reloads;

	/**
	 * Creates the ensemble.
	 * @param name the name that messages have
	 * @param kernel the kernel, whose handler was created with the same model and
	 * capacity
	 * @param model the model that the handler was created with
	 * @param capacity the most words that a model may have
	 * @param refusesMissing whether rows with missing features are refused
	 */
	public TreeEnsemble(String name, Kernel<ScoreRequest, ScoreResponse> kernel, Model model, int capacity,
			boolean refusesMissing) {
		this.name = name;
		this.kernel = kernel;
		this.capacity = capacity;
		this.refusesMissing = refusesMissing;
		this.served = new ServedModel(model, 0);
		this.retired = new ServedModel(model, 1);
		this.retired.retire();
	}

	/**
	 * Predicts for one row by a model with one output.
	 * @param features the features of the row
	 * @return the prediction: a value, a probability, or the number of a class
	 * @throws IllegalStateException if the model has several outputs
	 */
	public float score(float... features) {
		Model model = this.served.model();
		if (model.outputs() != 1) {
			throw new IllegalStateException("Model '%s' has %d outputs for a row. Call scores to get all of them."
				.formatted(this.name, model.outputs()));
		}
		if (features.length != model.features()) {
			throw wrongNumber(features.length, model.features(), "one row");
		}
		return scores(features)[0];
	}

	/**
	 * Predicts for rows.
	 * @param features the features of the rows
	 * @return the predictions, row by row, as the objective makes them of margins
	 */
	public float[] scores(float[] features) {
		return serve((model) -> predictions(model.model(), margins(model, features)));
	}

	/**
	 * Adds up the trees for rows.
	 * @param features the features of the rows
	 * @return the margins, row by row: what the objective makes predictions of
	 */
	public float[] margins(float[] features) {
		return serve((model) -> margins(model, features));
	}

	private float[] serve(Function<ServedModel, float[]> call) {
		ServedModel model = enter();
		try {
			return call.apply(model);
		}
		finally {
			model.exit();
		}
	}

	/**
	 * Predicts for as many rows as a message holds, and does not wait for the answer.
	 * @param features the features of the rows
	 * @return a future of the predictions, row by row
	 * @throws InvalidMessageException also if there are too many of them
	 */
	@SuppressWarnings("FutureReturnValueIgnored") // What fails is in the future that is
													// returned.
	public CompletableFuture<float[]> submit(float[] features) {
		ServedModel model = enter();
		CompletableFuture<ScoreResponse> response;
		try {
			check(model.model(), features);
			int most = rowsPerRequest(model.model()) * model.model().features();
			if (features.length > most) {
				throw new InvalidMessageException(ScoreRequest.class, "features",
						"has %d elements; a message holds %d. Call scores, or submit fewer rows."
							.formatted(features.length, most),
						features.length, most);
			}
			response = this.kernel.client().submit(request(model, features));
		}
		catch (RuntimeException | Error ex) {
			model.exit();
			throw ex;
		}
		CompletableFuture<float[]> predictions = response
			.thenApply((answer) -> predictions(model.model(), current(model, features, answer).margins()));
		predictions.whenComplete((answer, failure) -> model.exit());
		CompletableFuture<float[]> returned = predictions.copy();
		returned.whenComplete((answer, failure) -> {
			if (returned.isCancelled()) {
				response.cancel(true);
			}
		});
		return returned;
	}

	/**
	 * Puts another model into service. Calls that have begun are answered by the model
	 * before, and those that begin after this method has returned by the new one. No call
	 * is refused in between. If anything goes wrong, the model before stays in service.
	 * @param resource the file of the model
	 * @throws InvalidModelException if it cannot be imported, does not fit, or has
	 * another number of features or outputs
	 * @throws RingKernelException if the kernel does not take it
	 */
	public void reload(Resource resource) {
		reload(Model.read(resource));
	}

	/**
	 * Puts another model into service, as {@link #reload(Resource)} does.
	 * @param model the model
	 * @throws InvalidModelException if it does not fit, or has another number of features
	 * or outputs
	 * @throws RingKernelException if the kernel does not take it
	 */
	@SuppressWarnings("NonAtomicVolatileUpdate") // Written under the lock alone.
	public void reload(Model model) {
		this.reloading.lock();
		try {
			ServedModel before = this.served;
			check(before.model(), model);
			awaitFree(this.retired);
			int half = 1 - before.half();
			store(half, model);
			this.served = new ServedModel(model, half);
			this.retired = before;
			before.retire();
			this.reloads++;
		}
		finally {
			this.reloading.unlock();
		}
	}

	/**
	 * In each replica, unless one of them comes to another state meanwhile: then the next
	 * request for the model is stale, and has it stored again.
	 */
	private void store(int half, Model model) {
		this.loading.lock();
		try {
			for (ScoreRequest load : model.image().loads(half, ScoreRequest.MAX_WORDS)) {
				if (this.kernel.client().broadcast(load).stream().anyMatch(ScoreResponse::isStale)) {
					return;
				}
			}
		}
		finally {
			this.loading.unlock();
		}
	}

	/**
	 * {@return what the model is that is in service}
	 */
	public ModelStatus status() {
		Model model = this.served.model();
		return new ModelStatus(model.source(), model.format(), model.objective().name(), model.features(),
				model.outputs(), model.trees(), (long) model.image().length() * Long.BYTES,
				(long) this.capacity * Long.BYTES, Long.toHexString(model.image().stamp()), this.reloads);
	}

	/**
	 * {@return the kernel that scores}
	 */
	public Kernel<ScoreRequest, ScoreResponse> kernel() {
		return this.kernel;
	}

	private void check(Model before, Model model) {
		EnsembleImage image = model.image();
		if (image.length() > this.capacity) {
			throw new InvalidModelException(
					"The model of %s takes %d bytes. Model '%s' has room for %d. Set ringkernel.models.%s.capacity to more."
						.formatted(model.source(), (long) image.length() * Long.BYTES, this.name,
								(long) this.capacity * Long.BYTES, this.name));
		}
		if (model.features() != before.features() || model.outputs() != before.outputs()
				|| model.groups() != before.groups()) {
			throw new InvalidModelException(
					"The model of %s has %d features and %d outputs. Model '%s' has %d and %d. Restart the application with it."
						.formatted(model.source(), model.features(), model.outputs(), this.name, before.features(),
								before.outputs()));
		}
	}

	/** A request ends by its timeout at the latest. */
	private void awaitFree(ServedModel model) {
		Duration patience = this.kernel.spec().options().requestTimeout().multipliedBy(2).plusSeconds(1);
		try {
			if (!model.awaitFree(patience)) {
				throw new KernelStuckException(this.kernel.id(), "end the calls of the model before", patience);
			}
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new RequestInterruptedException(this.kernel.id());
		}
	}

	private ServedModel enter() {
		ServedModel model;
		do {
			model = this.served;
		}
		while (!model.enter());
		return model;
	}

	private float[] margins(ServedModel model, float[] features) {
		check(model.model(), features);
		int width = model.model().features();
		int rows = features.length / width;
		int rowsPerRequest = Math.min(rowsPerRequest(model.model()),
				Math.max(MIN_ROWS_PER_REQUEST, (rows + workers() - 1) / workers()));
		if (rows <= rowsPerRequest) {
			return current(model, features, this.kernel.client().call(request(model, features))).margins();
		}
		List<ScoreRequest> requests = new ArrayList<>();
		for (int from = 0; from < features.length; from += rowsPerRequest * width) {
			requests.add(request(model,
					Arrays.copyOfRange(features, from, Math.min(features.length, from + rowsPerRequest * width))));
		}
		List<ScoreResponse> responses = this.kernel.client().callAll(requests);
		float[] margins = new float[rows * model.model().groups()];
		int to = 0;
		for (int i = 0; i < responses.size(); i++) {
			float[] part = current(model, requests.get(i).features(), responses.get(i)).margins();
			System.arraycopy(part, 0, margins, to, part.length);
			to += part.length;
		}
		return margins;
	}

	private static ScoreRequest request(ServedModel model, float[] features) {
		return ScoreRequest.score(model.half(), model.model().image().stamp(), features);
	}

	private static int rowsPerRequest(Model model) {
		return Math.min(ScoreRequest.MAX_FLOATS / model.features(), ScoreResponse.MAX_MARGINS / model.groups());
	}

	/** On the CPU no more of them run at once than there are processors. */
	private int workers() {
		KernelOptions options = this.kernel.spec().options();
		int workers = options.workers() * Math.max(1, this.kernel.replicas().size());
		return (this.kernel.plan().backend() == BackendKind.CPU)
				? Math.min(workers, Runtime.getRuntime().availableProcessors()) : workers;
	}

	/** If the kernel has lost the model, the answer that it gives once it has it. */
	private ScoreResponse current(ServedModel model, float[] features, ScoreResponse answer) {
		ScoreResponse current = answer;
		for (int attempt = 0; current.isStale(); attempt++) {
			if (attempt == MAX_ATTEMPTS) {
				throw DeviceLostException.repeatedly(this.kernel.id(), "model '%s'".formatted(this.name), attempt);
			}
			current = loadedAgain(model, request(model, features));
		}
		return current;
	}

	private ScoreResponse loadedAgain(ServedModel model, ScoreRequest request) {
		this.loading.lock();
		try {
			ScoreResponse answer = this.kernel.client().call(request);
			if (answer.isStale()) {
				store(model.half(), model.model());
			}
			return answer;
		}
		finally {
			this.loading.unlock();
		}
	}

	private void check(Model model, float[] features) {
		if (features.length == 0 || features.length % model.features() != 0) {
			throw wrongNumber(features.length, model.features(), "one or more rows");
		}
		if (this.refusesMissing) {
			for (int i = 0; i < features.length; i++) {
				if (Float.isNaN(features[i])) {
					throw new InvalidMessageException(ScoreRequest.class, "features",
							"has no number for feature %d of row %d. Model '%s' refuses missing features; set ringkernel.models.%s.refuse-missing to false to allow them."
								.formatted(i % model.features(), i / model.features(), this.name, this.name));
				}
			}
		}
	}

	private InvalidMessageException wrongNumber(int length, int width, String expected) {
		return new InvalidMessageException(ScoreRequest.class, "features",
				"has %d elements. A row of model '%s' has %d features; pass %s.".formatted(length, this.name, width,
						expected),
				length, width);
	}

	private static float[] predictions(Model model, float[] margins) {
		return model.objective().predictions(margins, model.groups());
	}

}
