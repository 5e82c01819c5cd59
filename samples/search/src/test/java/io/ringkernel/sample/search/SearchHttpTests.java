package io.ringkernel.sample.search;

import java.nio.file.Path;

import io.ringkernel.runtime.Kernel;
import io.ringkernel.spring.ai.search.VectorSearchRequest;
import io.ringkernel.spring.ai.search.VectorSearchResponse;
import io.ringkernel.sample.search.SearchAnswer.Hit;
import io.ringkernel.sample.search.index.CorpusIndexing;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.http.MediaType;
import org.springframework.test.context.TestPropertySource;
import org.springframework.test.web.servlet.client.RestTestClient;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The API of the sample.
 */
@SearchTest
@TestPropertySource(properties = { "management.endpoint.vectorstore.access=unrestricted",
		"management.endpoint.vectorstore.snapshot-directory=target/snapshots" })
class SearchHttpTests {

	private static final int DEFAULT_LIMIT = 10;

	@Autowired
	private CorpusIndexing indexing;

	@Autowired
	private Kernel<VectorSearchRequest, VectorSearchResponse> kernel;

	private final RestTestClient http;

	SearchHttpTests(@LocalServerPort int port) {
		this.http = RestTestClient.bindToServer().baseUrl("http://localhost:" + port).build();
	}

	@BeforeEach
	void awaitPassages() {
		EmbeddedCorpus.await(this.indexing);
	}

	private SearchAnswer search(String uri, Object... variables) {
		SearchAnswer answer = this.http.get()
			.uri(uri, variables)
			.exchange()
			.expectStatus()
			.isOk()
			.expectBody(SearchAnswer.class)
			.returnResult()
			.getResponseBody();
		assertThat(answer).isNotNull();
		return answer;
	}

	@ParameterizedTest
	@CsvSource({ "the building that a family lives in, house", "twelve months, year", "what children learn in, school",
			"the liquid that fills rivers and seas, water" })
	void findsTheWordThatIsDescribed(String description, String word) {
		SearchAnswer answer = search("/api/search?q={q}", description);
		assertThat(answer.passages()).isEqualTo(SearchTest.PASSAGES);
		assertThat(answer.hits()).hasSize(DEFAULT_LIMIT).extracting((hit) -> hit.words().get(0)).contains(word);
		assertThat(answer.hits()).extracting(Hit::score).isSortedAccordingTo((a, b) -> Double.compare(b, a));
	}

	@Test
	void findsWhatAPlainLoopFindsAndTimesBoth() {
		SearchAnswer answer = search("/api/search?q=a part of the body&limit=25");
		assertThat(answer.hits()).hasSize(25);
		assertThat(answer.alsoFoundByPlainLoop()).isEqualTo(25);
		assertThat(answer.timing().embedding()).isPositive();
		assertThat(answer.timing().search()).isPositive();
		assertThat(answer.timing().plainLoop()).isPositive();
		assertThat(answer.timing().device()).as("there is no device").isNull();
	}

	@Test
	void findsWordsOfACategory() {
		assertThat(search("/api/search?q=water&category=time").hits()).isNotEmpty()
			.extracting(Hit::category)
			.containsOnly("time");
	}

	@Test
	void findsSimilarWords() {
		Hit year = search("/api/search?q=twelve months&limit=1").hits().get(0);
		SearchAnswer similar = search("/api/passages/{id}/similar?limit=3", year.id());
		assertThat(similar.hits()).hasSize(3).first().extracting(Hit::id).isEqualTo(year.id());
		assertThat(similar.timing().embedding()).isZero();
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|',
			textBlock = """
					/api/search?q= | 400 | q has 0 characters. Describe what you look for in 1 to 1000 characters.
					/api/search | 400 | Required parameter 'q' is not present.
					/api/search?q=x&limit=0 | 400 | limit is 0. Set it to a value from 1 to 100.
					/api/search?q=x&category=fish | 400 | There is no category 'fish'. Leave category out, or set it to one of tops, act, animal
					/api/passages/17/similar | 404 | There is no passage '17', or it is not embedded yet. Take the id of a hit.
					""")
	void saysWhatIsWrongWithARequest(String uri, int status, String detail) {
		this.http.get()
			.uri(uri)
			.exchange()
			.expectStatus()
			.isEqualTo(status)
			.expectHeader()
			.contentType(MediaType.APPLICATION_PROBLEM_JSON)
			.expectBody()
			.jsonPath("$.detail")
			.value((told) -> assertThat(told).asString().startsWith(detail));
	}

	@Test
	void copiesItsStoreForWhomThatIsPermitted(
			@Value("${management.endpoint.vectorstore.snapshot-directory}") Path snapshots) {
		this.http.post()
			.uri("/actuator/vectorstore/vectorStore")
			.contentType(MediaType.APPLICATION_JSON)
			.body("{\"action\":\"snapshot\"}")
			.exchange()
			.expectStatus()
			.isOk()
			.expectBody()
			.jsonPath("$.documents")
			.isEqualTo(SearchTest.PASSAGES)
			.jsonPath("$.directory")
			.value((told) -> assertThat(Path.of(String.valueOf(told)).getParent())
				.isEqualTo(snapshots.resolve("vectorStore").toAbsolutePath()));
	}

	@Test
	void saysThatTheKernelTakesNoRequests() {
		this.kernel.deactivate();
		try {
			this.http.get()
				.uri("/api/search?q=water")
				.exchange()
				.expectStatus()
				.isEqualTo(503)
				.expectBody()
				.jsonPath("$.detail")
				.value((told) -> assertThat(told).asString().contains("takes no requests", "Activate it"));
			this.http.get().uri("/api/status").exchange().expectBody().jsonPath("$.kernelState").isEqualTo("INACTIVE");
		}
		finally {
			this.kernel.activate();
		}
		assertThat(search("/api/search?q=water").hits()).isNotEmpty();
	}

	@Test
	void saysHowFarThePassagesAreEmbedded() {
		this.http.get().uri("/api/status").exchange().expectBody().json("""
				{"progress": {"state": "READY", "embedded": 400, "total": 400, "problem": null},
					"kernelState": "ACTIVE", "backend": "cpu"}""");
	}

}
