package io.ringkernel.sample.search;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Pattern;

import com.microsoft.playwright.Browser;
import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.Route;
import com.microsoft.playwright.options.ColorScheme;
import com.microsoft.playwright.options.ReducedMotion;
import io.ringkernel.runtime.Kernel;
import io.ringkernel.sample.search.corpus.Category;
import io.ringkernel.sample.search.index.CorpusIndexing;
import io.ringkernel.spring.dashboard.BrowserTests;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.test.web.server.LocalServerPort;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * The page, used as a person does.
 */
@SearchTest
@Tag("every-platform")
class SearchPageTests extends BrowserTests {

	private static final String DESCRIPTION = "the building that a family lives in";

	@Autowired
	private CorpusIndexing indexing;

	@Autowired
	@Qualifier("vector-search")
	private Kernel<?, ?> kernel;

	SearchPageTests(@LocalServerPort int port) {
		super(port, "/");
	}

	@BeforeEach
	void awaitPassages() {
		EmbeddedCorpus.await(this.indexing);
	}

	private Locator hits() {
		return this.page.locator("#results li");
	}

	private Locator message() {
		return this.page.locator("#message");
	}

	@Test
	void findsWordsByTheKeyboardAlone() {
		this.page.navigate(this.url);
		this.page.keyboard().type(DESCRIPTION);
		this.page.keyboard().press("Enter");
		assertThat(hits()).hasCount(10);
		assertThat(this.page.locator("#results")).containsText("house");
		assertThat(message()).hasText(Pattern.compile("The nearest 10 of .* nouns. The plain loop found the same."));
		assertThat(this.page.locator("#store-time")).hasText(Pattern.compile("[0-9.,]+ µs"));
		assertThat(this.page.locator("#loop-time")).hasText(Pattern.compile("[0-9.,]+ µs"));
		assertThat(this.page).hasURL(Pattern.compile(".*[?]q=the\\+building.*"));
	}

	@Test
	void searchesForAnExampleAndForSimilarWords() {
		this.page.navigate(this.url);
		this.page.locator("#examples button").first().click();
		assertThat(hits()).hasCount(10);
		String second = hits().nth(1).locator("strong").textContent();
		hits().nth(1).getByText("Similar").click();
		assertThat(hits().first().locator("strong")).hasText(second);
		assertThat(this.page.locator("#timing-text")).containsText("The vector was stored.");
	}

	@Test
	void findsWordsOfAKindAndKeepsTheQueryInTheAddress() {
		this.page.navigate(this.url + "?q=water");
		assertThat(hits()).hasCount(10);
		this.page.getByLabel("Kind").selectOption("time");
		assertThat(hits().first()).containsText("time · score");
		this.page.reload();
		assertThat(this.page.getByLabel("Description")).hasValue("water");
		assertThat(this.page.getByLabel("Kind")).hasValue("time");
		assertThat(hits().first()).containsText("time · score");
	}

	@Test
	void offersEveryCategory() {
		this.page.navigate(this.url);
		assertThat(this.page.locator("#category option").evaluateAll("options => options.map(it => it.value)"))
			.asInstanceOf(InstanceOfAssertFactories.LIST)
			.containsAll(Arrays.stream(Category.values()).map(Category::key).toList())
			.hasSize(Category.values().length + 1);
	}

	@Test
	void saysHowFarThePassagesAreEmbedded() {
		this.page.navigate(this.url);
		assertThat(this.page.locator("#progress-text")).containsText("All ");
		this.page.route("**/api/status", (route) -> answer(route,
				"""
						{"progress": {"state": "EMBEDDING", "embedded": 5000, "total": 10000, "passagesPerSecond": 50, "problem": null},
						"kernelState": "ACTIVE", "backend": "cuda"}"""));
		assertThat(this.page.locator("#progress-text")).hasText(
				"5,000 of 10,000, the words that are used most first. 50 a second, about 2 minutes to go. A search finds what is there.");
		assertThat(this.page.locator("#store-label")).hasText("Vector store on the GPU");
	}

	@Test
	void repeatsASearchThatCameBeforeTheFirstPassages() {
		this.page.route("**/api/search?**", (route) -> answer(route, """
				{"passages": 0, "hits": [], "timing": {"embedding": 1, "search": 1, "device": null, "plainLoop": 1},
				"alsoFoundByPlainLoop": 0}"""));
		this.page.route("**/api/status", (route) -> answer(route,
				"""
						{"progress": {"state": "EMBEDDING", "embedded": 0, "total": 10, "passagesPerSecond": 0, "problem": null},
						"kernelState": "ACTIVE", "backend": "cpu"}"""));
		this.page.navigate(this.url + "?q=water");
		assertThat(message()).hasText("No noun is embedded yet. The search is repeated when the first ones are.");
		this.page.unroute("**/api/search?**");
		this.page.unroute("**/api/status");
		assertThat(hits()).hasCount(10);
	}

	private static void answer(Route route, String json) {
		route.fulfill(new Route.FulfillOptions().setContentType("application/json").setBody(json));
	}

	@Test
	void saysThatTheKernelTakesNoRequests() {
		this.page.navigate(this.url);
		this.kernel.deactivate();
		try {
			this.page.getByLabel("Description").fill("water");
			assertThat(message()).containsText("takes no requests");
			assertThat(message()).hasClass(Pattern.compile(".*alert.*"));
			assertThat(this.page.locator("#progress-text")).containsText("The kernel is INACTIVE");
		}
		finally {
			this.kernel.activate();
		}
		this.page.getByText("Search", new Page.GetByTextOptions().setExact(true)).click();
		assertThat(hits()).hasCount(10);
		assertThat(this.page.locator("#progress-text")).containsText("All ");
	}

	@Test
	void saysThatTheApplicationDoesNotAnswer() {
		this.page.navigate(this.url);
		this.page.route("**/api/**", Route::abort);
		this.page.getByLabel("Description").fill("water");
		assertThat(message()).containsText("The application does not answer. Start it again");
		assertThat(this.page.locator("#progress-text")).containsText("The application does not answer.");
	}

	@ParameterizedTest
	@EnumSource(names = { "LIGHT", "DARK" })
	void canBeRead(ColorScheme scheme) {
		open(new Browser.NewContextOptions().setColorScheme(scheme));
		this.page.navigate(this.url + "?q=water");
		assertThat(hits()).hasCount(10);
		assertThat(contrast("h1", "header p", "label", "#query", "#category", "button[type=submit]", ".examples button",
				"#progress-text", "#timing dt", "#timing output", "#message", "li strong", "li .definition",
				"li .facts", ".similar", "footer p"))
			.hasSizeGreaterThan(15)
			.allSatisfy((name, ratio) -> assertThat(ratio.doubleValue()).as(name).isGreaterThan(MIN_CONTRAST_OF_TEXT));
	}

	@ParameterizedTest
	@EnumSource(Width.class)
	void fitsAndDoesNotMoveWhenHitsCome(Width width) {
		open(new Browser.NewContextOptions().setViewportSize(width.pixels, 800));
		this.page.addInitScript("""
				window.shift = 0;
				new PerformanceObserver((list) => list.getEntries().forEach((entry) => window.shift += entry.value))
					.observe({ type: "layout-shift", buffered: true });""");
		this.page.navigate(this.url + "?q=water");
		assertThat(hits()).hasCount(10);
		assertThat(this.page.locator("#progress-text")).containsText("All ");
		assertThat(((Number) this.page.evaluate("document.documentElement.scrollWidth")).intValue())
			.isLessThanOrEqualTo(width.pixels);
		// Observers are told with the next frame but one.
		this.page.evaluate("() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))");
		assertThat(((Number) this.page.evaluate("window.shift")).doubleValue()).isZero();
	}

	/** Widths of a phone and of a desk. */
	enum Width {

		PHONE(360), DESK(1000);

		private final int pixels;

		Width(int pixels) {
			this.pixels = pixels;
		}

	}

	@Test
	void movesNothingForThoseWhoAskForThat() {
		open(new Browser.NewContextOptions().setReducedMotion(ReducedMotion.REDUCE));
		this.page.navigate(this.url);
		assertThat(this.page.locator(".bar").first()).hasCSS("transition-duration", "0s");
	}

	@Test
	void loadsNothingFromElsewhere() {
		List<String> requested = new ArrayList<>();
		this.page.onRequest((request) -> requested.add(request.url()));
		this.page.navigate(this.url + "?q=water");
		assertThat(hits()).hasCount(10);
		assertThat(requested).hasSizeGreaterThan(3).allMatch((address) -> address.startsWith(this.url));
	}

	@Test
	void isPictured() {
		this.page.navigate(this.url + "?q=something+that+keeps+the+rain+off");
		assertThat(hits()).hasCount(10);
		// The second search finds compiled code.
		this.page.getByText("Search", new Page.GetByTextOptions().setExact(true)).click();
		assertThat(this.page.locator("#results[aria-busy]")).hasCount(0);
		byte[] picture = this.page
			.screenshot(new Page.ScreenshotOptions().setPath(Path.of("target/screenshots/search.png")));
		assertThat(picture).isNotEmpty();
	}

}
