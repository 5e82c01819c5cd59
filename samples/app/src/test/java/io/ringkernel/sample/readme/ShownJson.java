package io.ringkernel.sample.readme;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * JSON that a page shows: a part of what is answered, with all values equal. Where
 * numbers are of one run, as in Actuator outputs, any number will do.
 *
 * @param text the JSON
 * @param anyNumber whether a number stands for any number
 */
record ShownJson(String text, boolean anyNumber) {

	private static final JsonMapper MAPPER = new JsonMapper();

	void assertPartOf(String answer) {
		assertPartOf("answer", MAPPER.readTree(this.text), MAPPER.readTree(answer));
	}

	private void assertPartOf(String path, JsonNode shown, JsonNode actual) {
		if (shown.isObject()) {
			shown.properties()
				.forEach((entry) -> assertPartOf(path + "." + entry.getKey(), entry.getValue(),
						actual.path(entry.getKey())));
		}
		else if (this.anyNumber && shown.isNumber()) {
			assertThat(actual.isNumber()).as("%s is a number: %s", path, actual).isTrue();
		}
		else {
			assertThat(actual).as(path).isEqualTo(shown);
		}
	}

}
