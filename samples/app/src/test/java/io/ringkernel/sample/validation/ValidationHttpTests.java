package io.ringkernel.sample.validation;

import io.ringkernel.sampletest.SampleTest;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.test.context.TestPropertySource;
import org.springframework.test.web.servlet.client.RestTestClient;

/**
 * The table of the validation over HTTP.
 */
class ValidationHttpTests {

	@Nested
	@SampleTest
	class Enabled {

		@Autowired
		private RestTestClient http;

		@Test
		void showsHowTheCasesEnded() {
			this.http.get().uri("/api/validation").exchange().expectStatus().isOk().expectBody().json("""
					{"backend": "cpu", "rows": [{"name": "small", "elements": 10, "problem": null},
					{"name": "boundary"}, {"name": "large"}, {"name": "capacity"}]}""");
		}

		@Test
		void runsThemAgain() {
			this.http.post()
				.uri("/api/validation")
				.exchange()
				.expectStatus()
				.isOk()
				.expectBody()
				.jsonPath("$.rows.length()")
				.isEqualTo(4);
		}

	}

	@Nested
	@SampleTest
	@TestPropertySource(properties = "sample.validation.enabled=false")
	class Disabled {

		@Autowired
		private RestTestClient http;

		@Test
		void saysThatThereIsNone() {
			this.http.get()
				.uri("/api/validation")
				.exchange()
				.expectStatus()
				.isNotFound()
				.expectBody()
				.jsonPath("$.detail")
				.isEqualTo("There is no validation. Set sample.validation.enabled to true.");
		}

	}

}
