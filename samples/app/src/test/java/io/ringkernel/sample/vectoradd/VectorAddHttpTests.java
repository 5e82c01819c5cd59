package io.ringkernel.sample.vectoradd;

import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import io.ringkernel.sampletest.SampleTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.http.HttpHeaders;
import org.springframework.http.MediaType;
import org.springframework.test.web.servlet.client.RestTestClient;

import static org.assertj.core.api.Assertions.assertThat;

@SampleTest
class VectorAddHttpTests {

	private static final int MAX_PROBLEM_LENGTH = 1000;

	@Autowired
	private RestTestClient http;

	@ParameterizedTest
	@ValueSource(ints = { 0, 1, 10, 25, 100, 4096 })
	void adds(int length) {
		VectorAddRequest request = request(length, 7);
		assertThat(add(request)).containsExactly(sum(request));
	}

	@Test
	void addsManyAtOnce() throws Exception {
		ExecutorService callers = Executors.newFixedThreadPool(16);
		try {
			List<Future<Boolean>> calls = IntStream.range(0, 800).mapToObj((seed) -> callers.submit(() -> {
				VectorAddRequest request = request(1 + seed % 300, seed);
				return Arrays.equals(add(request), sum(request));
			})).toList();
			for (Future<Boolean> call : calls) {
				assertThat(call.get()).isTrue();
			}
		}
		finally {
			callers.shutdownNow();
		}
	}

	static Stream<Arguments> invalid() {
		String tooLong = "[" + "1,".repeat(4096) + "1]";
		String longText = "\"" + "x".repeat(100_000) + "\"";
		return Stream.of(Arguments.of("different lengths", "{'a':[1,2],'b':[1]}", "b", 2),
				Arguments.of("too long", "{'a':" + tooLong + ",'b':[1]}", "a", 4096),
				Arguments.of("second too long", "{'a':[1],'b':" + tooLong + "}", "b", 4096),
				Arguments.of("a string", "{'a':[1,'2'],'b':[1,2]}", "a[1]", null),
				Arguments.of("a long string", "{'a':[" + longText + "],'b':[1]}", "a[0]", null),
				Arguments.of("a null element", "{'a':[1,2],'b':[1,null]}", "b[1]", null),
				Arguments.of("a boolean", "{'a':[true],'b':[1]}", "a[0]", null),
				Arguments.of("a nested array", "{'a':[[1]],'b':[1]}", "a[0]", null),
				Arguments.of("an object", "{'a':{'x':1},'b':[1]}", "a", null),
				Arguments.of("a number for an array", "{'a':1,'b':[1]}", "a", null),
				Arguments.of("a string for an array", "{'a':" + longText + ",'b':[1]}", "a", null),
				Arguments.of("an overflowing number", "{'a':[1e39],'b':[1]}", "a[0]", 3.4028234663852886e38),
				Arguments.of("an overflowing integer", "{'a':[1" + "0".repeat(60) + "],'b':[1]}", "a[0]",
						3.4028234663852886e38),
				Arguments.of("a negative overflow", "{'a':[1],'b':[-1e400]}", "b[0]", 3.4028234663852886e38),
				Arguments.of("an overflowing sum", "{'a':[0,3e38],'b':[0,3e38]}", "a[1] + b[1]", 3.4028234663852886e38),
				Arguments.of("a missing field", "{'a':[1]}", "b", null),
				Arguments.of("a null field", "{'a':null,'b':[1]}", "a", null),
				Arguments.of("no fields", "{}", "a", null), Arguments.of("null", "null", "body", null),
				Arguments.of("an array", "[1,2]", "body", null), Arguments.of("a long text", longText, "body", null),
				Arguments.of("NaN", "{'a':[NaN],'b':[1]}", "body", null),
				Arguments.of("malformed", "{'a':[1,2", "body", null), Arguments.of("no JSON", "hello", "body", null),
				Arguments.of("a number too long", "{'a':[" + "1".repeat(2000) + "],'b':[1]}", "body", null),
				Arguments.of("an empty body", "", "body", null));
	}

	@ParameterizedTest(name = "{0}")
	@MethodSource("invalid")
	void refuses(String name, String body, String field, Object limit) {
		RestTestClient.ResponseSpec response = post(body.replace('\'', '"')).expectStatus()
			.isBadRequest()
			.expectHeader()
			.contentType(MediaType.APPLICATION_PROBLEM_JSON);
		RestTestClient.BodyContentSpec problem = response.expectBody();
		problem.jsonPath("$.status").isEqualTo(400);
		problem.jsonPath("$.field").isEqualTo(field);
		problem.jsonPath("$.detail").value(String.class, (detail) -> assertThat(detail).startsWith(field));
		if (limit != null) {
			problem.jsonPath("$.limit")
				.value(Number.class,
						(number) -> assertThat(number.floatValue()).isEqualTo(((Number) limit).floatValue()));
		}
		else {
			problem.jsonPath("$.limit").doesNotExist();
		}
		assertThat(problem.returnResult().getResponseBody()).hasSizeLessThan(MAX_PROBLEM_LENGTH);
	}

	@Test
	void tellsTheLengthThatDoesNotMatch() {
		post("{\"a\":[1,2,3],\"b\":[1]}").expectStatus().isBadRequest().expectBody().json("""
				{"status": 400, "title": "Invalid input", "instance": "/api/vector-add",
				 "detail": "b has 1 elements where a has 3.", "field": "b", "limit": 3, "value": 1}
				""");
	}

	@Test
	void answersOtherMistakesAsProblemsToo() {
		this.http.get()
			.uri("/api/vector-add")
			.exchange()
			.expectStatus()
			.isEqualTo(405)
			.expectHeader()
			.contentType(MediaType.APPLICATION_PROBLEM_JSON);
		this.http.post()
			.uri("/api/vector-add")
			.contentType(MediaType.TEXT_PLAIN)
			.body("1")
			.exchange()
			.expectStatus()
			.isEqualTo(415)
			.expectHeader()
			.contentType(MediaType.APPLICATION_PROBLEM_JSON);
		this.http.get()
			.uri("/api/nothing")
			.header(HttpHeaders.ACCEPT, MediaType.APPLICATION_JSON_VALUE)
			.exchange()
			.expectStatus()
			.isNotFound()
			.expectHeader()
			.contentType(MediaType.APPLICATION_PROBLEM_JSON);
	}

	private RestTestClient.ResponseSpec post(String body) {
		return this.http.post().uri("/api/vector-add").contentType(MediaType.APPLICATION_JSON).body(body).exchange();
	}

	private float[] add(VectorAddRequest request) {
		VectorAddResponse response = this.http.post()
			.uri("/api/vector-add")
			.contentType(MediaType.APPLICATION_JSON)
			.body(request)
			.exchange()
			.expectStatus()
			.isOk()
			.expectBody(VectorAddResponse.class)
			.returnResult()
			.getResponseBody();
		assertThat(response).isNotNull();
		return response.sum();
	}

	private static VectorAddRequest request(int length, int seed) {
		float[] a = new float[length];
		float[] b = new float[length];
		for (int i = 0; i < length; i++) {
			a[i] = seed + i * 0.1f;
			b[i] = seed * 3 - i * 0.7f;
		}
		return new VectorAddRequest(a, b);
	}

	private static float[] sum(VectorAddRequest request) {
		float[] sum = new float[request.a().length];
		for (int i = 0; i < sum.length; i++) {
			sum[i] = request.a()[i] + request.b()[i];
		}
		return sum;
	}

}
