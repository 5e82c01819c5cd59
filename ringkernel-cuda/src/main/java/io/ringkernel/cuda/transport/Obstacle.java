package io.ringkernel.cuda.transport;

/**
 * What stands against a transport, or against a kernel that stays over it.
 *
 * @param reason a clause
 * @param remedy a sentence
 * @since 0.2.0
 */
public record Obstacle(String reason, String remedy) {

	/** What helps against an obstacle to a transport. */
	public static final String AUTO_TRANSPORT = "Set ringkernel.transport to auto.";

	/** What helps against an obstacle to a kernel that stays. */
	public static final String AUTO_MODE = "Set ringkernel.mode to auto or event-driven.";

}
