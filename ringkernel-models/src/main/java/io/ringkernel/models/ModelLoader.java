package io.ringkernel.models;

import java.util.Arrays;

import io.ringkernel.BroadcastException;
import io.ringkernel.RingKernelClient;
import io.ringkernel.models.kernel.EnsembleImage;
import io.ringkernel.models.kernel.ScoreRequest;
import io.ringkernel.models.kernel.ScoreResponse;

/**
 * Stores images in the state of a kernel, and of each of its replicas. A half has no
 * stamp until all of its words are there.
 */
final class ModelLoader {

	private static final long[] NO_STAMP = { 0 };

	private final RingKernelClient<ScoreRequest, ScoreResponse> client;

	ModelLoader(RingKernelClient<ScoreRequest, ScoreResponse> client) {
		this.client = client;
	}

	/**
	 * Stores an image.
	 * @throws BroadcastException if a replica does not take it
	 */
	void load(int half, EnsembleImage image) {
		long[] words = image.words();
		this.client.broadcast(ScoreRequest.load(half, 0, NO_STAMP));
		for (int from = 1; from < words.length; from += ScoreRequest.MAX_WORDS) {
			int to = Math.min(words.length, from + ScoreRequest.MAX_WORDS);
			this.client.broadcast(ScoreRequest.load(half, from, Arrays.copyOfRange(words, from, to)));
		}
		this.client.broadcast(ScoreRequest.load(half, 0, new long[] { image.stamp() }));
	}

}
