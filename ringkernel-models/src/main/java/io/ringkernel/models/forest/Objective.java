package io.ringkernel.models.forest;

/**
 * What a model was trained for, and what that makes of the margins of a row.
 *
 * @param name the objective, as the model names it
 * @param link what makes predictions of margins
 * @param slope what margins are multiplied by before
 * @since 0.2.0
 */
public record Objective(String name, Link link, float slope) {

	/**
	 * Creates an objective whose link takes margins as they are.
	 * @param name the objective, as the model names it
	 * @param link what makes predictions of margins
	 */
	public Objective(String name, Link link) {
		this(name, link, 1);
	}

	/**
	 * {@return how many predictions a row has: 1, or the number of margins}
	 * @param groups the margins of the row
	 */
	public int outputs(int groups) {
		return this.link.outputs(groups);
	}

	/**
	 * {@return the predictions that the margins of rows make, row by row}
	 * @param margins the margins, row by row
	 * @param groups the margins of a row
	 */
	public float[] predictions(float[] margins, int groups) {
		float[] scaled = margins;
		if (this.slope != 1) {
			scaled = new float[margins.length];
			for (int i = 0; i < margins.length; i++) {
				scaled[i] = this.slope * margins[i];
			}
		}
		return this.link.predictions(scaled, groups);
	}

}
