package io.ringkernel.spring.ai.embedding.kernel;

/**
 * The activation between two layers: <i>x P(X ≤ x)</i> of a standard normal <i>X</i>.
 * Hendrycks and Gimpel, Gaussian Error Linear Units, arXiv 1606.08415.
 */
final class Gelu {

	/** From here on the error function is 1 in single precision. */
	private static final float BOUND = 4;

	private static final float SQRT_HALF = 0.70710678f;

	private Gelu() {
	}

	/** Applies it to each element. */
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
		float p = -2.72614225801306e-10f;
		p = p * s + 2.77068142495902e-08f;
		p = p * s - 2.10102402082508e-06f;
		p = p * s - 5.69250639462346e-05f;
		p = p * s - 7.34990630326855e-04f;
		p = p * s - 2.95459980854025e-03f;
		p = p * s - 1.60960333262415e-02f;
		float q = -1.45660718464996e-05f;
		q = q * s - 2.13374055278905e-04f;
		q = q * s - 1.68282697438203e-03f;
		q = q * s - 7.37332916720468e-03f;
		q = q * s - 1.42647390514189e-02f;
		return x * p / q;
	}

}
