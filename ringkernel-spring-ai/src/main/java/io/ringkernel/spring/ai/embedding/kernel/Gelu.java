package io.ringkernel.spring.ai.embedding.kernel;

/**
 * The activation between two layers: <i>x P(X ≤ x)</i> of a standard normal <i>X</i>.
 * Hendrycks and Gimpel, Gaussian Error Linear Units, arXiv 1606.08415.
 */
final class Gelu {

	/** From here on the error function is 1 in single precision. */
	private static final float BOUND = 4;

	private static final float SQRT_HALF = 0.70710677f;

	private Gelu() {
	}

	static void apply(float[] values) {
		for (int i = 0; i < values.length; i++) {
			values[i] = 0.5f * values[i] * (1 + errorFunction(values[i] * SQRT_HALF));
		}
	}

	/**
	 * A quotient of polynomials, which errs by 7e-8 at most: a series would branch, and
	 * the compiler makes no vector instructions of branches. The coefficients are those
	 * of Eigen, <code>unsupported/Eigen/SpecialFunctions</code>.
	 */
	private static float errorFunction(float argument) {
		float x = Math.max(-BOUND, Math.min(BOUND, argument));
		float s = x * x;
		float p = -2.7261424e-10f;
		p = p * s + 2.7706815e-8f;
		p = p * s - 2.101024e-6f;
		p = p * s - 5.6925062e-5f;
		p = p * s - 7.3499064e-4f;
		p = p * s - 0.0029546f;
		p = p * s - 0.016096033f;
		float q = -1.45660715e-5f;
		q = q * s - 2.1337405e-4f;
		q = q * s - 0.001682827f;
		q = q * s - 0.0073733293f;
		q = q * s - 0.014264739f;
		return x * p / q;
	}

}
