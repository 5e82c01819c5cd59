package io.ringkernel.routing;

/**
 * Jump consistent hashing (Lamping and Veach, 2014). If the number of shards grows from n
 * to n + 1, the new shard gets a fair share of the keys of each other one, and no other
 * key moves.
 * <p>
 * It keeps no table and balances better than a ring of virtual nodes. In return, shards
 * are numbered from 0 and only the last one can be removed. That fits replicas: the keys
 * of one that is lost wait for it.
 */
final class JumpHash {

	private static final long MULTIPLIER = 2862933555777941757L;

	private JumpHash() {
	}

	/**
	 * {@return the shard of a key, from 0} Takes the logarithm of the number of shards in
	 * steps.
	 * @param key the key
	 * @param shards how many there are, at least 1
	 */
	static int shard(long key, int shards) {
		long state = key;
		long shard = -1;
		long next = 0;
		while (next < shards) {
			shard = next;
			state = state * MULTIPLIER + 1;
			next = (long) ((shard + 1) * ((1L << 31) / (double) ((state >>> 33) + 1)));
		}
		return (int) shard;
	}

}
