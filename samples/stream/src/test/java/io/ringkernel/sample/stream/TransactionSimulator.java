package io.ringkernel.sample.stream;

import java.util.SplittableRandom;

/**
 * Simulates the transactions of cards and terminals with places, as the transaction data
 * simulator of the Fraud Detection Handbook (Le Borgne, Siblini, Lebichot, Bontempi)
 * does: its distributions of amounts and frequencies, and its three scenarios of fraud. A
 * transaction is a function of the seed and its number, so that any of them can be made
 * alone. Each terminal belongs to a square, and a card pays at the terminals of the
 * square that its holder lives in.
 *
 * @param seed what all is made of
 * @param firstCard the lowest number of a card
 * @param cards how many cards there are
 */
record TransactionSimulator(long seed, long firstCard, int cards) {

	private static final int SQUARES_PER_SIDE = 20;

	private static final int TERMINALS_PER_SQUARE = 25;

	/** Degrees. */
	private static final float SIDE = 0.5f;

	private static final float SOUTH = 40;

	private static final double MOST_PER_DAY = 4;

	private static final double LARGE_AMOUNT = 220;

	private static final double SHARE_OF_TERMINALS_PER_DAY = 2 / 10_000d;

	private static final int DAYS_OF_A_TERMINAL = 28;

	private static final double SHARE_OF_CARDS_PER_DAY = 3 / 5_000d;

	private static final int DAYS_OF_A_CARD = 14;

	private static final double SHARE_OF_TRANSACTIONS = 1 / 3d;

	private static final double FACTOR = 5;

	/**
	 * A transaction, and whether it is fraudulent.
	 */
	record Simulated(CardTransaction transaction, Fraud fraud) {
	}

	/**
	 * Simulates a transaction.
	 * @param id its number; later ones have higher numbers
	 */
	Simulated simulate(long id) {
		SplittableRandom random = random("transaction", id);
		Cardholder holder;
		do {
			holder = holder(random.nextInt(this.cards));
		}
		while (random.nextDouble() * MOST_PER_DAY >= holder.perDay());
		int terminal = holder.square() * TERMINALS_PER_SQUARE + random.nextInt(TERMINALS_PER_SQUARE);
		long day = (long) (id / (this.cards * MOST_PER_DAY / 2));
		double amount = holder.mean() * (1 + random.nextGaussian() / 2);
		if (amount < 0) {
			amount = random.nextDouble() * 2 * holder.mean();
		}
		Fraud fraud = (amount > LARGE_AMOUNT) ? Fraud.LARGE_AMOUNT : Fraud.NONE;
		if (isCompromised("terminal", terminal, day, DAYS_OF_A_TERMINAL, SHARE_OF_TERMINALS_PER_DAY)) {
			fraud = Fraud.TERMINAL;
		}
		if (random.nextDouble() < SHARE_OF_TRANSACTIONS
				&& isCompromised("card", holder.number(), day, DAYS_OF_A_CARD, SHARE_OF_CARDS_PER_DAY)) {
			fraud = Fraud.CARD;
			amount *= FACTOR;
		}
		return new Simulated(transaction(id, holder, amount, terminal), fraud);
	}

	private CardTransaction transaction(long id, Cardholder holder, double amount, int terminal) {
		SplittableRandom place = random("place", terminal);
		float north = holder.square() / SQUARES_PER_SIDE + place.nextInt(100) / 100f;
		float east = holder.square() % SQUARES_PER_SIDE + place.nextInt(100) / 100f;
		return new CardTransaction(id, this.firstCard + holder.number(), Math.max(1, Math.round(amount * 100)) / 100f,
				SOUTH + north * SIDE, east * SIDE);
	}

	private Cardholder holder(int number) {
		SplittableRandom random = random("holder", number);
		return new Cardholder(number, random.nextInt(SQUARES_PER_SIDE * SQUARES_PER_SIDE), 5 + random.nextDouble() * 95,
				random.nextDouble() * MOST_PER_DAY);
	}

	private boolean isCompromised(String what, int number, long day, int days, double share) {
		for (long since = day; since > day - days && since >= 0; since--) {
			if (random(what, (long) number << 32 | since).nextDouble() < share) {
				return true;
			}
		}
		return false;
	}

	/** The hash of a text is specified. */
	private SplittableRandom random(String what, long number) {
		return new SplittableRandom((this.seed * 31 + what.hashCode()) * 0x9E3779B97F4A7C15L + number);
	}

	/**
	 * Who has a card.
	 *
	 * @param number that of the card, from 0
	 * @param square where the holder lives
	 * @param mean the mean of the amounts
	 * @param perDay how many transactions there are in a day
	 */
	private record Cardholder(int number, int square, double mean, double perDay) {
	}

}
