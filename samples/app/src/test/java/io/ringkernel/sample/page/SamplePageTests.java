package io.ringkernel.sample.page;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

import com.microsoft.playwright.Browser;
import com.microsoft.playwright.Dialog;
import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.Route;
import com.microsoft.playwright.options.ColorScheme;
import io.ringkernel.sampletest.SampleTest;
import io.ringkernel.spring.dashboard.BrowserTests;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.test.context.TestPropertySource;
import org.springframework.test.web.servlet.client.RestTestClient;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * The page at {@code /}, used as a person does.
 */
@SampleTest
@TestPropertySource(properties = "sample.nearest-neighbours.capacity=5000")
@Tag("every-platform")
class SamplePageTests extends BrowserTests {

	@Autowired
	private RestTestClient http;

	SamplePageTests(@LocalServerPort int port) {
		super(port, "/");
	}

	@BeforeEach
	void removeVectors() {
		this.http.delete().uri("/api/neighbours/vectors").exchange().expectStatus().isNoContent();
	}

	private Locator at(String selector) {
		return this.page.locator(selector);
	}

	private Locator button(String name) {
		return this.page.getByText(name, new Page.GetByTextOptions().setExact(true));
	}

	@Test
	void addsVectorsByTheKeyboard() {
		this.page.navigate(this.url);
		at("#a").fill("1.5 2");
		at("#b").fill("10, 20");
		this.page.keyboard().press("Enter");
		assertThat(at("#sum"))
			.hasText(Pattern.compile("Sum: 11.5, 22. The kernel's call took [0-9.,]+ µs, the request [0-9.,]+ µs\\."));
	}

	@Test
	void saysWhatIsWrongWithVectors() {
		this.page.navigate(this.url);
		at("#b").fill("1, two");
		button("Add").click();
		assertThat(at("#sum"))
			.hasText("b has \"two\", which is no number. Use numbers, separated by commas or blanks.");
		at("#b").fill("1");
		button("Add").click();
		assertThat(at("#sum")).hasText("b has 1 elements where a has 3.");
		assertThat(at("#sum")).hasClass(Pattern.compile(".*alert.*"));
	}

	@Test
	void showsTheValidationAndRunsItAgain() {
		this.page.navigate(this.url);
		assertThat(at("#validation tr").first()).hasText(Pattern.compile("small10[0-9.,]+ µspassed"));
		assertThat(at("#validation-text"))
			.containsText("4 cases, 101 rounds each. Backend cpu: backend 'cpu' was asked for");
		assertThat(at("#validation tr").first()).containsText("passed");
		this.page.waitForResponse((response) -> response.request().method().equals("POST") && response.ok(),
				() -> button("Validate again").click());
		assertThat(at("#validation tr")).hasCount(4);
	}

	@Test
	void findsTheNeighboursOfAPoint() {
		this.page.navigate(this.url);
		assertThat(at("#neighbours-text")).containsText("0 of 5,000 vectors are stored.");
		button("Store 4,000 points").click();
		assertThat(at("#neighbours-text")).containsText("4,000 points are stored, as vectors of 128 elements.");
		at("#plane").click();
		assertThat(at("#nearest li")).hasCount(10);
		assertThat(at("#neighbours-text")).containsText("The 10 nearest points. The kernel's call took");
		List<Double> distances = at("#nearest li").allTextContents()
			.stream()
			.map((text) -> Double.valueOf(text.replaceAll(".*, | away", "")))
			.toList();
		assertThat(distances).isSorted();
		String first = at("#nearest li").first().textContent();
		at("#plane").focus();
		for (int i = 0; i < 10; i++) {
			this.page.keyboard().press("ArrowRight");
		}
		this.page.keyboard().press("Enter");
		assertThat(at("#nearest li").first()).not().hasText(first);
		assertThat(at("#nearest li")).hasCount(10);
	}

	@Test
	void saysWhyThereAreNoNeighbours() {
		this.page.navigate(this.url);
		at("#plane").click();
		assertThat(at("#neighbours-text")).hasText("Nothing is stored yet. Store the points first.");
		this.page.route("**/api/neighbours/vectors",
				(route) -> route.fulfill(new Route.FulfillOptions().setStatus(409)
					.setContentType("application/problem+json")
					.setBody("{\"detail\": \"Remove some.\"}")));
		button("Store 4,000 points").click();
		assertThat(at("#neighbours-text")).hasText("Remove some.");
		assertThat(button("Store 4,000 points")).isEnabled();
	}

	@Test
	void saysThatTheApplicationDoesNotAnswer() {
		this.page.navigate(this.url);
		this.page.route("**/api/**", Route::abort);
		button("Add").click();
		assertThat(at("#sum")).hasText("The application does not answer. Start it again, and try again.");
	}

	@Test
	void showsTheKernelsLiveAndSaysThatOneTakesNoRequests() {
		this.page.onDialog(Dialog::accept);
		this.page.navigate(this.url);
		assertThat(at("article")).hasCount(2);
		Locator deactivate = this.page.getByLabel("Deactivate vector-add");
		deactivate.click();
		assertThat(at("article[aria-label=vector-add] .rk-state")).hasText("INACTIVE");
		button("Add").click();
		assertThat(at("#sum")).containsText("vector-add");
		assertThat(at("#sum")).hasClass(Pattern.compile(".*alert.*"));
		this.page.getByLabel("Activate vector-add", new Page.GetByLabelOptions().setExact(true)).click();
		assertThat(at("article[aria-label=vector-add] .rk-state")).hasText("ACTIVE");
		button("Add").click();
		assertThat(at("#sum")).containsText("Sum: 11, 22, 33.");
	}

	@Test
	void saysWhereTheKernelsAreIfNotHere() {
		this.page.route("**/actuator/**", (route) -> route.fulfill(new Route.FulfillOptions().setStatus(404)));
		this.page.navigate(this.url);
		assertThat(at("#live-text")).containsText("If Actuator has a port of its own");
	}

	@ParameterizedTest
	@EnumSource(names = { "LIGHT", "DARK" })
	void canBeRead(ColorScheme scheme) {
		open(new Browser.NewContextOptions().setColorScheme(scheme));
		this.page.navigate(this.url);
		assertThat(at("article")).hasCount(2);
		assertThat(at("#validation tr")).hasCount(4);
		assertThat(contrast("h1", "header p", "h2", "label", "input", "button[type=submit]", "#sum", "caption", "th",
				"td", "#neighbours-text", "footer p", ".rk-note", ".rk-plan", ".rk-state", "summary", "dt", "dd",
				"figcaption", "button"))
			.hasSizeGreaterThan(20)
			.allSatisfy((name, ratio) -> assertThat(ratio.doubleValue()).as(name).isGreaterThan(MIN_CONTRAST_OF_TEXT));
	}

	@ParameterizedTest
	@ValueSource(ints = { 360, 1000 })
	void fitsAndDoesNotMoveWhenAnswersCome(int width) {
		open(new Browser.NewContextOptions().setViewportSize(width, 1600));
		this.page.addInitScript("""
				window.shift = 0;
				new PerformanceObserver((list) => list.getEntries().forEach((entry) => window.shift += entry.value))
					.observe({ type: "layout-shift", buffered: true });""");
		this.page.navigate(this.url);
		assertThat(at("article")).hasCount(2);
		assertThat(at("#validation")).containsText("passed");
		button("Add").click();
		assertThat(at("#sum")).containsText("Sum:");
		button("Store 4,000 points").click();
		assertThat(at("#neighbours-text")).containsText("4,000 points are stored");
		at("#plane").click();
		assertThat(at("#nearest li")).hasCount(10);
		assertThat(((Number) this.page.evaluate("document.documentElement.scrollWidth")).intValue())
			.isLessThanOrEqualTo(width);
		// Observers are told with the next frame but one.
		this.page.evaluate("() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))");
		assertThat(((Number) this.page.evaluate("window.shift")).doubleValue()).isZero();
	}

	@Test
	void loadsNothingFromElsewhere() {
		List<String> requested = new ArrayList<>();
		this.page.onRequest((request) -> requested.add(request.url()));
		this.page.navigate(this.url);
		assertThat(at("article")).hasCount(2);
		assertThat(requested).hasSizeGreaterThan(5).allMatch((address) -> address.startsWith(this.url));
	}

	@Test
	void isPictured() {
		this.page.navigate(this.url);
		assertThat(at("article")).hasCount(2);
		button("Add").click();
		assertThat(at("#sum")).containsText("Sum:");
		button("Store 4,000 points").click();
		assertThat(at("#neighbours-text")).containsText("4,000 points are stored");
		at("#plane").click();
		assertThat(at("#nearest li")).hasCount(10);
		byte[] picture = this.page.screenshot(
				new Page.ScreenshotOptions().setFullPage(true).setPath(Path.of("target/screenshots/sample.png")));
		assertThat(picture).isNotEmpty();
	}

}
