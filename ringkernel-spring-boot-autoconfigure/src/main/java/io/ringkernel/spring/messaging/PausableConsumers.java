package io.ringkernel.spring.messaging;

/**
 * Consumers of messages that can be paused: they stay where they are, and ask for no more
 * messages. Beans of this type are paused by {@link ConsumerPauses}.
 *
 * @since 0.2.0
 */
public interface PausableConsumers {

	/**
	 * Whether there is a consumer of some name.
	 * @param name the name
	 * @return whether there is one now
	 */
	boolean contains(String name);

	/**
	 * Pauses a consumer.
	 * @param name its name
	 * @return whether it was not paused before
	 */
	boolean pause(String name);

	/**
	 * Has a consumer go on.
	 * @param name its name
	 */
	void resume(String name);

}
