package io.ringkernel.exception;

/**
 * The replica that serves the key of a request takes no requests in its present state.
 * Nothing was sent. Requests whose keys belong to other replicas are served.
 *
 * @since 0.2.0
 */
public class ReplicaUnavailableException extends KernelNotActiveException {

	private final int shard;

	/**
	 * Creates the exception.
	 * @param kernelId the kernel
	 * @param shard the shard of the key, which is the number of the replica
	 * @param why what the replica has refused the request with
	 */
	public ReplicaUnavailableException(String kernelId, int shard, KernelNotActiveException why) {
		super(kernelId, "Shard %d of the keys is unavailable until then.".formatted(shard), why);
		this.shard = shard;
	}

	/**
	 * {@return the shard that the key belongs to, which is the number of the replica that
	 * serves it}
	 */
	public int shard() {
		return this.shard;
	}

}
