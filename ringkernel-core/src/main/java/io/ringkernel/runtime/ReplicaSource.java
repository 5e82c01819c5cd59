package io.ringkernel.runtime;

/**
 * Where the replicas of a kernel come from, and go to.
 */
interface ReplicaSource<I extends Record, O extends Record> {

	/**
	 * Creates a replica, which is not launched yet.
	 * @param number its number, from 0
	 */
	SingleKernel<I, O> create(int number);

	/**
	 * Forgets a replica.
	 */
	void taken(SingleKernel<I, O> replica);

}
