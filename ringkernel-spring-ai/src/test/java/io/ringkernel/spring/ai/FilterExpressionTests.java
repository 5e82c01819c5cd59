package io.ringkernel.spring.ai;

import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Date;
import java.util.Deque;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

import io.ringkernel.platform.BackendKind;
import io.ringkernel.spring.ai.graph.IndexKind;
import io.ringkernel.spring.ai.search.SimilarityMetric;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.ai.document.Document;
import org.springframework.ai.vectorstore.SearchRequest;
import org.springframework.ai.vectorstore.filter.Filter;
import org.springframework.ai.vectorstore.filter.Filter.ExpressionType;
import org.springframework.ai.vectorstore.filter.FilterExpressionTextParser;
import org.springframework.ai.vectorstore.filter.FilterExpressionTextParser.FilterExpressionParseException;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/**
 * Filter expressions of the kinds that the stores of Spring AI for pgvector, Redis,
 * Weaviate, Milvus, Neo4j and Elasticsearch are tested with. Those tests compare the text
 * of a query; here the store itself selects documents.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class FilterExpressionTests {

	private static final String TEXT = "the same text";

	/** What a value says that wants to leave its place in a query. */
	private static final List<String> HOSTILE = List.of("\" || $.kind == \"plain", "plain\\\"",
			"x' || $.kind == 'plain", "x\n|| $.kind == \"plain\"", "mix\"\\'\n\r\t", "plain} | @kind:{plain", "a|b",
			"non-fiction", "me@host.com", "{brace}", "x\u0000y", "' OR '1'='1", "%", "*", "");

	private final RunningKernel running = new RunningKernel(backend());

	/**
	 * Each test has a store of its own, emptied after the test before: building one reads
	 * the tokens of a model.
	 */
	private final Map<SimilarityMetric, Deque<RingKernelVectorStore>> stores = new EnumMap<>(SimilarityMetric.class);

	private final List<Runnable> cleanups = new ArrayList<>();

	BackendKind backend() {
		return BackendKind.CPU;
	}

	IndexKind index() {
		return IndexKind.EXACT;
	}

	@AfterEach
	void emptyStores() {
		this.cleanups.forEach(Runnable::run);
		this.cleanups.clear();
	}

	@AfterAll
	void stop() {
		this.stores.values().forEach((idle) -> idle.forEach(RingKernelVectorStore::destroy));
		this.running.close();
	}

	private RingKernelVectorStore store(SimilarityMetric metric, List<Document> documents) {
		Deque<RingKernelVectorStore> idle = this.stores.computeIfAbsent(metric, (any) -> new ArrayDeque<>());
		RingKernelVectorStore store = !idle.isEmpty() ? idle.pop() : build(metric);
		this.cleanups.add(() -> {
			store.delete(documents.stream().map(Document::getId).toList());
			idle.push(store);
		});
		store.add(documents);
		return store;
	}

	private RingKernelVectorStore build(SimilarityMetric metric) {
		return RingKernelVectorStore.builder(new HashEmbeddingModel(8), this.running.kernel())
			.metric(metric)
			.index(index())
			.build();
	}

	private RingKernelVectorStore store(List<Document> documents) {
		return store(SimilarityMetric.COSINE, documents);
	}

	private static Document document(String id, Map<String, Object> metadata) {
		return new Document(id, TEXT, metadata);
	}

	private static List<Document> places() {
		return List.of(
				document("sofia",
						Map.of("city", "Sofia", "country", "BG", "year", 2019, "temperature", 20.13, "open", true,
								"founded", new Date(1000))),
				document("plovdiv",
						Map.of("city", "Plovdiv", "country", "BG", "year", 2020, "temperature", 20.14, "open", false)),
				document("varna", Map.of("city", "Varna", "country", "BG", "year", 2021L, "temperature", -15.6f)),
				document("utrecht",
						Map.of("city", "Utrecht", "country", "NL", "year", 2020.0, "open", true, "founded",
								"1970-01-01T00:00:02Z")),
				document("delft",
						Map.of("city", "Delft", "country", "NL", "temperature", -15.7, "founded", new Date(3000))),
				document("nowhere", Map.of("city", "", "count", 0, "millis", 1640995200000L, "state", "on|off",
						"place.river.name", "Maritsa", "river length", 472, "place-name_with@signs", "x")));
	}

	private static List<String> found(RingKernelVectorStore store, Filter.Expression expression) {
		return store
			.similaritySearch(SearchRequest.builder()
				.query(TEXT)
				.topK(2000)
				.similarityThresholdAll()
				.filterExpression(expression)
				.build())
			.stream()
			.map(Document::getId)
			.toList();
	}

	private static List<String> found(RingKernelVectorStore store, String expression) {
		return found(store, new FilterExpressionTextParser().parse(expression));
	}

	private static Filter.Expression compare(ExpressionType type, String key, Object value) {
		return new Filter.Expression(type, new Filter.Key(key), new Filter.Value(value));
	}

	private static List<String> ids(String ids) {
		return ids.isEmpty() ? List.of() : List.of(ids.split(" "));
	}

	@ParameterizedTest
	@CsvSource(delimiter = ';', quoteCharacter = '^', textBlock = """
			country == 'NL'                                              ; utrecht delft
			country == 'BG' && year == 2020                              ; plovdiv
			country == 'BG' AND year >= 2020                             ; plovdiv varna
			(country == 'BG' && year == 2020) || (country == 'NL')       ; plovdiv utrecht delft
			NOT((country == 'BG' && year == 2020) || (country == 'NL'))  ; sofia varna nowhere
			NOT(country == 'BG' && year == 2020)                         ; sofia varna utrecht delft nowhere
			country in ['BG', 'NL']                                      ; sofia plovdiv varna utrecht delft
			country not in ['BG']                                        ; utrecht delft nowhere
			NOT(country not in ['BG'])                                   ; sofia plovdiv varna
			country nin ['BG', 'NL']                                     ; nowhere
			year in [2020]                                               ; plovdiv utrecht
			year not in [2020]                                           ; sofia varna delft nowhere
			year in [2019, 'BG', true, 2021]                             ; sofia varna
			year >= 2021 || country == 'BG' && city != 'Sofia'           ; plovdiv varna
			(year >= 2020 || country == 'NL') && city nin ['Delft', 'Varna'] ; plovdiv utrecht
			open == true && year >= 2020 && country in ['BG', 'NL', 'US'] ; utrecht
			open == false                                                ; plovdiv
			open != true                                                 ; plovdiv varna delft nowhere
			temperature >= -15.6 && temperature <= 20.13                 ; sofia varna
			temperature > -15.7 && temperature < 20.13                    ; varna
			temperature < 0                                              ; varna delft
			city == ''                                                   ; nowhere
			city != ''                                                   ; sofia plovdiv varna utrecht delft
			count == 0                                                   ; nowhere
			millis >= 1640995200000L                                     ; nowhere
			state == 'on|off'                                            ; nowhere
			state == 'on'                                                ; ^^
			city == 'Sofia' || city == 'Delft' || city == 'Ghent'        ; sofia delft
			((year >= 2020 && country == 'NL') || (year >= 2021 && country == 'BG')) && city != 'Utrecht' ; varna
			country == 'BG' && year > 2018 && temperature < 20.14        ; sofia varna
			'place.river.name' == 'Maritsa'                              ; nowhere
			'river length' >= 472                                        ; nowhere
			"place-name_with@signs" == 'x'                               ; nowhere
			founded == '1970-01-01T00:00:02Z'                            ; utrecht
			founded >= '1970-01-01T00:00:02Z'                            ; utrecht delft
			founded in ['1970-01-01T00:00:01Z', '1970-01-01T00:00:03.001Z'] ; sofia
			year IS NULL                                                 ; delft nowhere
			year IS NOT NULL                                             ; sofia plovdiv varna utrecht
			mayor == 'anybody'                                           ; ^^
			year == '2020'                                               ; ^^
			""")
	void findsAndDeletesWhatAnExpressionSelects(String expression, String expected) {
		RingKernelVectorStore store = store(places());
		assertThat(found(store, expression)).containsExactlyElementsOf(ids(expected));
		List<String> others = new ArrayList<>(places().stream().map(Document::getId).toList());
		others.removeAll(ids(expected));
		store.delete(expression);
		assertThat(found(store, "city IS NOT NULL")).containsExactlyElementsOf(others);
	}

	@ParameterizedTest
	@EnumSource
	void selectionDoesNotDependOnTheMetric(SimilarityMetric metric) {
		RingKernelVectorStore store = store(metric, places());
		assertThat(found(store, "(country == 'BG' && year == 2020) || (country == 'NL')"))
			.containsExactlyInAnyOrder("plovdiv", "utrecht", "delft");
	}

	@Test
	void constantMayBeOfAnyNumericTypeOrADate() {
		RingKernelVectorStore store = store(places());
		assertThat(found(store, compare(ExpressionType.EQ, "year", 2020L))).containsExactly("plovdiv", "utrecht");
		assertThat(found(store, compare(ExpressionType.LTE, "temperature", -15.6f))).containsExactly("varna", "delft");
		assertThat(found(store, compare(ExpressionType.EQ, "founded", new Date(2000)))).containsExactly("utrecht");
		assertThat(found(store, compare(ExpressionType.GT, "founded", Instant.ofEpochSecond(1))))
			.containsExactly("utrecht", "delft");
		assertThat(found(store, compare(ExpressionType.IN, "founded", List.of(new Date(1000), new Date(3000)))))
			.containsExactly("sofia", "delft");
	}

	/** The number of documents that differ in no other way is more than a page holds. */
	@Test
	void listIsComparedByItsElements() {
		RingKernelVectorStore store = store(IntStream.range(0, 600)
			.mapToObj((i) -> document("id" + i, Map.of("tags", List.of("all", "tag" + i, i))))
			.toList());
		assertThat(found(store, "tags == 'tag517'")).containsExactly("id517");
		assertThat(found(store, "tags in ['tag3', 'tag598', 'other']")).containsExactly("id3", "id598");
		assertThat(found(store, "tags == 'all' && tags > 597")).containsExactly("id598", "id599");
		assertThat(found(store, "tags != 'all'")).isEmpty();
		assertThat(store.similaritySearch(
				SearchRequest.builder().query(TEXT).topK(5).filterExpression("tags in ['tag599', 'tag400']").build()))
			.extracting(Document::getId)
			.containsExactly("id400", "id599");
		store.delete("tags nin ['tag17', 'tag18']");
		assertThat(found(store, "tags == 'all'")).containsExactly("id17", "id18");
	}

	@Test
	void emptyListHoldsNothing() {
		RingKernelVectorStore store = store(places());
		assertThat(found(store, compare(ExpressionType.IN, "city", List.of()))).isEmpty();
		assertThat(found(store, compare(ExpressionType.NIN, "city", List.of()))).hasSize(6);
	}

	@Test
	void groupChangesTheOrderInWhichOperatorsApply() {
		RingKernelVectorStore store = store(places());
		Filter.Expression dutch = compare(ExpressionType.EQ, "country", "NL");
		Filter.Expression late = compare(ExpressionType.GTE, "year", 2021);
		Filter.Expression shut = compare(ExpressionType.EQ, "open", false);
		assertThat(found(store,
				new Filter.Expression(ExpressionType.OR, dutch, new Filter.Expression(ExpressionType.AND, late, shut))))
			.containsExactly("utrecht", "delft");
		assertThat(
				found(store,
						new Filter.Expression(ExpressionType.AND,
								new Filter.Group(new Filter.Expression(ExpressionType.OR, dutch, late)), shut)))
			.isEmpty();
	}

	/** A value is compared, never read as a part of the expression. */
	@Test
	void hostileValueSelectsItselfAlone() {
		List<Document> documents = new ArrayList<>(List.of(document("plain", Map.of("kind", "plain"))));
		for (int i = 0; i < HOSTILE.size(); i++) {
			documents.add(document("hostile" + i, Map.of("kind", HOSTILE.get(i))));
		}
		RingKernelVectorStore store = store(documents);
		for (int i = 0; i < HOSTILE.size(); i++) {
			String value = HOSTILE.get(i);
			assertThat(found(store, compare(ExpressionType.EQ, "kind", value))).as(value)
				.containsExactly("hostile" + i);
			assertThat(found(store, compare(ExpressionType.IN, "kind", List.of("plain", value)))).as(value)
				.containsExactly("plain", "hostile" + i);
			assertThat(found(store, compare(ExpressionType.NE, "kind", value))).as(value)
				.hasSize(HOSTILE.size())
				.doesNotContain("hostile" + i);
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "x' OR 1=1--", "kind\" == \"plain\" || \"kind", "kind:{plain} @other", "kind) || (kind",
			"$.kind", "a.b.c", "a b 1 2 3", "ключ", "__proto__", "id" })
	void keyIsANameWhateverItsCharacters(String key) {
		Map<String, Object> metadata = new LinkedHashMap<>(Map.of("kind", "other"));
		metadata.put(key, "value");
		RingKernelVectorStore store = store(
				List.of(document("plain", Map.of("kind", "plain")), document("keyed", metadata)));
		assertThat(found(store, compare(ExpressionType.EQ, key, "value"))).containsExactly("keyed");
		assertThat(found(store, compare(ExpressionType.EQ, key, "plain"))).isEmpty();
	}

	@Test
	void nullIsAskedForByNameAlone() {
		RingKernelVectorStore store = store(places());
		assertThatIllegalArgumentException()
			.isThrownBy(() -> found(store,
					new Filter.Expression(ExpressionType.EQ, new Filter.Key("year"), new Filter.Value(null))))
			.withMessageContaining("ISNULL");
	}

	@Test
	void wordThatIsNoConstantIsRefused() {
		RingKernelVectorStore store = store(places());
		assertThatExceptionOfType(FilterExpressionParseException.class).isThrownBy(() -> found(store, "country == NL"))
			.withMessageContaining("Line: 1:17");
	}

	@Test
	void deletesMoreThanAnyTopK() {
		RingKernelVectorStore store = store(IntStream.range(0, 1500)
			.mapToObj((i) -> document("id" + i, Map.of("type", (i % 500 == 7) ? "kept" : "test", "priority", i)))
			.toList());
		store.delete(compare(ExpressionType.EQ, "type", "test"));
		assertThat(found(store, "priority >= 0")).containsExactly("id7", "id507", "id1007");
	}

}
