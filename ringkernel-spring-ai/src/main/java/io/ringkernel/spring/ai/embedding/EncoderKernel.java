package io.ringkernel.spring.ai.embedding;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.locks.ReentrantLock;

import io.ringkernel.backend.DeviceLostException;
import io.ringkernel.platform.BackendKind;
import io.ringkernel.runtime.Kernel;
import io.ringkernel.spring.ai.embedding.kernel.EncoderImage;
import io.ringkernel.spring.ai.embedding.kernel.EncoderOutcome;
import io.ringkernel.spring.ai.embedding.kernel.EncoderRequest;
import io.ringkernel.spring.ai.embedding.kernel.EncoderResponse;
import io.ringkernel.spring.ai.embedding.model.EncoderWeights;

/**
 * Encodes texts by a kernel. A device that holds no model, or another one, gets it with
 * the first text, and again after it was lost.
 */
final class EncoderKernel {

	/** More are sent once these are answered: within the timeout of a request. */
	private static final int TOKENS_PER_BATCH = 8192;

	/**
	 * The same on the CPU, for each processor: about a fifth of a second. Other threads
	 * may embed as well, and other processes compute.
	 */
	private static final int TOKENS_PER_PROCESSOR = 512;

	private static final int MAX_ATTEMPTS = 5;

	private static final int STAMP_WORDS = 2;

	private final Kernel<EncoderRequest, EncoderResponse> kernel;

	private final EncoderWeights weights;

	private final int maxTokens;

	/** Held while the model is stored. */
	private final ReentrantLock loading = new ReentrantLock();

	/** Of the model's image; 0 until a device has asked for it. The CPU does not. */
	private volatile long stamp;

	EncoderKernel(Kernel<EncoderRequest, EncoderResponse> kernel, EncoderWeights weights, int maxTokens) {
		this.kernel = kernel;
		this.weights = weights;
		this.maxTokens = maxTokens;
	}

	int maxTokens() {
		return this.maxTokens;
	}

	/** Encodes texts of 1 to {@code maxTokens} tokens each. Vectors have the length 1. */
	List<float[]> encode(List<int[]> texts) {
		List<float[]> vectors = new ArrayList<>(texts.size());
		int most = tokensPerBatch();
		for (int from = 0; from < texts.size();) {
			int to = from;
			int tokens = 0;
			while (to < texts.size() && (to == from || tokens + texts.get(to).length <= most)) {
				tokens += texts.get(to++).length;
			}
			vectors.addAll(encodeBatch(texts.subList(from, to)));
			from = to;
		}
		return vectors;
	}

	private int tokensPerBatch() {
		return (this.kernel.plan().backend() == BackendKind.CPU)
				? Math.min(TOKENS_PER_BATCH, TOKENS_PER_PROCESSOR * Runtime.getRuntime().availableProcessors())
				: TOKENS_PER_BATCH;
	}

	private List<float[]> encodeBatch(List<int[]> texts) {
		for (int attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
			long stamp = this.stamp;
			List<EncoderRequest> requests = texts.stream().map((text) -> EncoderRequest.encode(stamp, text)).toList();
			List<EncoderResponse> responses = (requests.size() == 1)
					? List.of(this.kernel.client().call(requests.get(0))) : this.kernel.client().callAll(requests);
			if (responses.stream().noneMatch((response) -> response.outcome() == EncoderOutcome.STALE)) {
				return responses.stream().map(EncoderResponse::vector).toList();
			}
			load(requests.get(0));
		}
		throw DeviceLostException.repeatedly(this.kernel.id(), "the model", MAX_ATTEMPTS);
	}

	/** Stores the model, unless another thread has done so. */
	private void load(EncoderRequest stale) {
		this.loading.lock();
		try {
			if (holdsModel(stale)) {
				return;
			}
			int[] words = EncoderImage.of(this.weights, this.maxTokens);
			if (stores(words)) {
				this.stamp = EncoderImage.stamp(words);
			}
		}
		finally {
			this.loading.unlock();
		}
	}

	private boolean holdsModel(EncoderRequest stale) {
		return isHeld(EncoderRequest.encode(this.stamp, stale.tokens()));
	}

	/**
	 * Stores an image. A mark takes the place of its stamp until all of it is there: if
	 * the kernel comes to another state meanwhile, what follows does not find the mark.
	 */
	private boolean stores(int[] image) {
		long mark = ThreadLocalRandom.current().nextLong(1, Long.MAX_VALUE);
		boolean stores = stores(0, 0, new int[] { (int) mark, (int) (mark >>> Integer.SIZE) });
		for (int from = STAMP_WORDS; stores && from < image.length; from += EncoderRequest.MAX_WORDS) {
			stores = stores(mark, from,
					Arrays.copyOfRange(image, from, Math.min(image.length, from + EncoderRequest.MAX_WORDS)));
		}
		return stores && stores(mark, 0, Arrays.copyOf(image, STAMP_WORDS));
	}

	private boolean stores(long mark, int offset, int[] words) {
		return isHeld(EncoderRequest.load(mark, offset, words));
	}

	/** Whether the state of each replica has what is asked for. */
	private boolean isHeld(EncoderRequest request) {
		return this.kernel.client()
			.broadcast(request)
			.stream()
			.noneMatch((response) -> response.outcome() == EncoderOutcome.STALE);
	}

}
