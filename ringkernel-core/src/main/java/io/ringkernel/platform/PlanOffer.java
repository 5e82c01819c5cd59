package io.ringkernel.platform;

/**
 * What a backend answers when it is asked for a plan.
 *
 * @since 0.1.0
 */
public sealed interface PlanOffer {

	/**
	 * The backend can do what was asked.
	 *
	 * @param plan how
	 */
	record Accepted(ExecutionPlan plan) implements PlanOffer {
	}

	/**
	 * The backend cannot do what was asked.
	 *
	 * @param reason why: a clause without a full stop, that can follow "because"
	 * @param remedy what to install or to set instead: a sentence
	 */
	record Refused(String reason, String remedy) implements PlanOffer {
	}

}
