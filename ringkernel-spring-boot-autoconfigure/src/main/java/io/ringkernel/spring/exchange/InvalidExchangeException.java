package io.ringkernel.spring.exchange;

import io.ringkernel.spring.KernelDefinitionException;

/**
 * An interface is declared as a client of ring kernels in a way that cannot work.
 *
 * @since 0.1.0
 */
public class InvalidExchangeException extends KernelDefinitionException {

	/**
	 * Creates the exception.
	 * @param where the interface or method that is wrong
	 * @param problem what is wrong with it: the rest of a sentence that begins with it
	 * @param remedy what to change: a sentence
	 */
	public InvalidExchangeException(String where, String problem, String remedy) {
		super("%s cannot call a ring kernel: it %s".formatted(where, problem), remedy, null);
	}

}
