package io.ringkernel.routing;

import io.ringkernel.exception.KernelNotActiveException;
import io.ringkernel.exception.ReplicaUnavailableException;
import org.jspecify.annotations.Nullable;

/**
 * Sends requests with equal keys to the same replica, in the order in which a thread
 * sends them. The keys of a replica that takes no requests stay with it, because their
 * state does.
 */
final class KeyRouter<I extends Record> implements Router<I> {

	private final String kernelId;

	private final int replicas;

	private final KeyExtractor<? super I> key;

	KeyRouter(String kernelId, int replicas, KeyExtractor<? super I> key) {
		this.kernelId = kernelId;
		this.replicas = replicas;
		this.key = key;
	}

	/** A request that is none has no key, and any client refuses it. */
	@Override
	public int replicaFor(@Nullable I request) {
		return (request != null) ? JumpHash.shard(mix(this.key.keyOf(request)), this.replicas) : 0;
	}

	/** The finalizer of SplitMix64: spreads keys that differ in a few bits. */
	private static long mix(long key) {
		long mixed = (key ^ key >>> 30) * 0xbf58476d1ce4e5b9L;
		mixed = (mixed ^ mixed >>> 27) * 0x94d049bb133111ebL;
		return mixed ^ mixed >>> 31;
	}

	@Override
	public int replicaForStream() {
		throw new UnsupportedOperationException(
				("Requests of ring kernel '%s' are routed by key, and a stream stays on "
						+ "one replica. Open the stream on the client of a replica, or call the kernel.")
					.formatted(this.kernelId));
	}

	@Override
	public int attempts() {
		return 1;
	}

	@Override
	public KernelNotActiveException refusal(int replica, KernelNotActiveException why) {
		return new ReplicaUnavailableException(this.kernelId, replica, why);
	}

}
