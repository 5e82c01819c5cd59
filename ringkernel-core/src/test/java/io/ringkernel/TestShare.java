package io.ringkernel;

/**
 * How much of their work the tests by force do: all of it, unless the system property
 * {@code test.share} says less.
 */
public final class TestShare {

	private static final double SHARE = Double.parseDouble(System.getProperty("test.share", "1"));

	private TestShare() {
	}

	/**
	 * The share of a count.
	 * @param all how often something is done where there is time for all of it
	 * @return at least 1
	 */
	public static int of(int all) {
		return Math.max(1, (int) (all * SHARE));
	}

}
