package io.ringkernel.sample.neighbours;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import io.ringkernel.sampletest.SampleTest;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.http.MediaType;
import org.springframework.test.context.TestPropertySource;
import org.springframework.test.web.servlet.client.RestTestClient;

import static org.assertj.core.api.Assertions.assertThat;

@SampleTest
@TestPropertySource(properties = "sample.nearest-neighbours.capacity=3000")
class NeighbourHttpTests {

	private static final int DIMENSIONS = 128;

	private final Random random = new Random(42);

	@Autowired
	private RestTestClient http;

	@BeforeEach
	void clear() {
		this.http.delete().uri("/api/neighbours/vectors").exchange().expectStatus().isNoContent();
	}

	@Test
	void findsWhatBruteForceFinds() {
		BruteForce oracle = new BruteForce();
		upload(oracle, IntStream.range(0, 1000));
		compare(oracle);
		IntStream.iterate(0, (id) -> id < 1000, (id) -> id + 3).forEach((id) -> {
			this.http.delete().uri("/api/neighbours/vectors/{id}", id).exchange().expectStatus().isNoContent();
			oracle.vectors().remove(id);
		});
		compare(oracle);
		upload(oracle, IntStream.range(500, 1500));
		compare(oracle);
		assertThat(size()).isEqualTo(oracle.vectors().size());
	}

	private void compare(BruteForce oracle) {
		for (int k : new int[] { 1, 10, 100 }) {
			float[] query = BruteForce.vector(this.random, DIMENSIONS);
			assertThat(query(query, k)).isEqualTo(oracle.query(query, k));
		}
	}

	@Test
	void findsNothingAmongNothing() {
		assertThat(query(new float[DIMENSIONS], 10)).isEmpty();
	}

	@Test
	void findsAllWhereThereAreFewer() {
		BruteForce oracle = new BruteForce();
		upload(oracle, IntStream.range(0, 5));
		assertThat(query(new float[DIMENSIONS], 10)).hasSize(5);
	}

	@Test
	void replacesAVectorThatIsThere() {
		upload(new BruteForce(), IntStream.of(7));
		float[] second = BruteForce.vector(this.random, DIMENSIONS);
		add(List.of(new IndexedVector(7, second))).expectStatus().isOk();
		assertThat(query(second, 2)).containsExactly(new Neighbour(7, 0));
	}

	@Test
	void tellsItsSizeAndItsBounds() {
		upload(new BruteForce(), IntStream.of(1, 2, 3));
		this.http.get()
			.uri("/api/neighbours")
			.exchange()
			.expectStatus()
			.isOk()
			.expectBody()
			.json("{\"size\": 3, \"capacity\": 3000, \"dimensions\": 128}");
	}

	@Test
	void acceptsAnEmptyUpload() {
		add(List.of()).expectStatus().isOk().expectBody().jsonPath("$.size").isEqualTo(0);
	}

	@Test
	void refusesMoreThanThereIsRoomFor() {
		upload(new BruteForce(), IntStream.range(0, 2999));
		add(vectors(IntStream.of(1, 9001, 9002))).expectStatus()
			.isEqualTo(409)
			.expectHeader()
			.contentType(MediaType.APPLICATION_PROBLEM_JSON)
			.expectBody()
			.jsonPath("$.limit")
			.isEqualTo(3000);
		assertThat(size()).isEqualTo(2999);
		add(vectors(IntStream.of(1, 9001))).expectStatus().isOk().expectBody().jsonPath("$.size").isEqualTo(3000);
	}

	@Test
	void knowsNoVectorThatWasNeverAdded() {
		this.http.delete()
			.uri("/api/neighbours/vectors/5")
			.exchange()
			.expectStatus()
			.isNotFound()
			.expectHeader()
			.contentType(MediaType.APPLICATION_PROBLEM_JSON)
			.expectBody()
			.jsonPath("$.detail")
			.isEqualTo("There is no vector with id 5.");
	}

	@Test
	void refusesAnIdThatIsNoNumber() {
		problem(this.http.delete().uri("/api/neighbours/vectors/five").exchange(), "id", null);
	}

	static Stream<Arguments> invalidQueries() {
		String vector = "[" + "0,".repeat(127) + "0]";
		return Stream.of(Arguments.of("{'vector':[1,2],'k':10}", "vector", 128),
				Arguments.of("{'vector':[" + "0,".repeat(16_384) + "0],'k':10}", "vector", 16_384),
				Arguments.of("{'vector':" + vector + ",'k':0}", "k", 100),
				Arguments.of("{'vector':" + vector + ",'k':101}", "k", 100),
				Arguments.of("{'vector':" + vector + ",'k':'10'}", "k", null),
				Arguments.of("{'vector':" + vector + ",'k':1.5}", "k", null),
				Arguments.of("{'vector':" + vector + ",'k':null}", "k", null),
				Arguments.of("{'vector':" + vector + ",'k':99999999999}", "k", null),
				Arguments.of("{'vector':" + vector + "}", "k", null), Arguments.of("{'k':10}", "vector", null),
				Arguments.of("{'vector':" + vector.replaceFirst("0", "1e16") + ",'k':1}", "vector[0]", 1e15f),
				Arguments.of("", "body", null));
	}

	@ParameterizedTest
	@MethodSource("invalidQueries")
	void refusesAnInvalidQuery(String body, String field, Number limit) {
		problem(post("/api/neighbours/query", body.replace('\'', '"')), field, limit);
	}

	static Stream<Arguments> invalidUploads() {
		String vector = "[" + "0,".repeat(127) + "0]";
		return Stream.of(Arguments.of("{'vectors':[{'id':1,'vector':[1]}]}", "vectors[0].vector", 128),
				Arguments.of("{'vectors':[{'id':1,'vector':" + vector + "},{'id':1,'vector':" + vector + "}]}",
						"vectors[1].id", null),
				Arguments.of("{'vectors':[{'id':1,'vector':" + vector + "},{'vector':" + vector + "}]}",
						"vectors[1].id", null),
				Arguments.of("{'vectors':[{'id':2147483648,'vector':" + vector + "}]}", "vectors[0].id", null),
				Arguments.of("{'vectors':[{'id':1}]}", "vectors[0].vector", null),
				Arguments.of("{'vectors':[{'id':1,'vector':[1,'x']}]}", "vectors[0].vector[1]", null),
				Arguments.of("{'vectors':[null]}", "vectors[0]", null), Arguments.of("{}", "vectors", null),
				Arguments.of("{'vectors':7}", "vectors", null), Arguments.of("{'vectors':[7]}", "vectors[0]", null));
	}

	@ParameterizedTest
	@MethodSource("invalidUploads")
	void refusesAnInvalidUpload(String body, String field, Number limit) {
		problem(post("/api/neighbours/vectors", body.replace('\'', '"')), field, limit);
		assertThat(size()).isZero();
	}

	private static void problem(RestTestClient.ResponseSpec response, String field, Number limit) {
		RestTestClient.BodyContentSpec problem = response.expectStatus()
			.isBadRequest()
			.expectHeader()
			.contentType(MediaType.APPLICATION_PROBLEM_JSON)
			.expectBody();
		problem.jsonPath("$.field").isEqualTo(field);
		if (limit != null) {
			problem.jsonPath("$.limit")
				.value(Number.class, (actual) -> assertThat(actual.floatValue()).isEqualTo(limit.floatValue()));
		}
		else {
			problem.jsonPath("$.limit").doesNotExist();
		}
	}

	private void upload(BruteForce oracle, IntStream ids) {
		List<IndexedVector> vectors = vectors(ids);
		add(vectors).expectStatus().isOk();
		vectors.forEach((indexed) -> oracle.vectors().put(indexed.id(), indexed.vector()));
	}

	private List<IndexedVector> vectors(IntStream ids) {
		List<IndexedVector> vectors = new ArrayList<>();
		ids.forEach((id) -> vectors.add(new IndexedVector(id, BruteForce.vector(this.random, DIMENSIONS))));
		return vectors;
	}

	private RestTestClient.ResponseSpec add(List<IndexedVector> vectors) {
		return post("/api/neighbours/vectors", Map.of("vectors", vectors));
	}

	private List<Neighbour> query(float[] vector, int k) {
		NeighbourController.Found found = post("/api/neighbours/query", Map.of("vector", vector, "k", k)).expectStatus()
			.isOk()
			.expectBody(NeighbourController.Found.class)
			.returnResult()
			.getResponseBody();
		assertThat(found).isNotNull();
		return found.neighbours();
	}

	private int size() {
		NeighbourController.Stored stored = this.http.get()
			.uri("/api/neighbours")
			.exchange()
			.expectBody(NeighbourController.Stored.class)
			.returnResult()
			.getResponseBody();
		assertThat(stored).isNotNull();
		return stored.size();
	}

	private RestTestClient.ResponseSpec post(String path, Object body) {
		return this.http.post().uri(path).contentType(MediaType.APPLICATION_JSON).body(body).exchange();
	}

}
