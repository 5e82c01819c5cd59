package io.ringkernel.spring.dashboard;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;

import com.microsoft.playwright.Browser;
import com.microsoft.playwright.BrowserContext;
import com.microsoft.playwright.BrowserType;
import com.microsoft.playwright.Dialog;
import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.Playwright;
import com.microsoft.playwright.Route;
import com.microsoft.playwright.assertions.PlaywrightAssertions;
import com.microsoft.playwright.options.ColorScheme;
import io.ringkernel.KernelState;
import io.ringkernel.RingKernelClient;
import io.ringkernel.runtime.Kernel;
import io.ringkernel.spring.dashboard.DashboardApplication.Number;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.boot.test.web.server.LocalServerPort;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * The page, used as a person does.
 */
@ExtendWith(ChromiumCondition.class)
@SpringBootTest(classes = DashboardApplication.class, webEnvironment = WebEnvironment.RANDOM_PORT,
		properties = { "management.endpoints.web.exposure.include=ringkernels,ringkernelsdashboard",
				"management.endpoint.ringkernels.access=unrestricted",
				"management.endpoint.ringkernelsdashboard.interval=200ms", "ringkernel.backend=cpu",
				"ringkernel.timing-interval=1",
				"management.metrics.distribution.slo.ringkernel.request=2us,5us,10us,20us,50us,100us,1ms,1s" })
class DashboardPageTests {

	private static final double PATIENCE_MS = 30_000;

	/** WCAG 2.2, level AA, text of normal size. */
	private static final double MIN_CONTRAST = 4.5;

	private static Playwright playwright;

	private static Browser browser;

	@Autowired
	private RingKernelClient<Number, Number> twice;

	@Autowired
	private Kernel<Number, Number> kernel;

	@Autowired
	private DashboardStreams streams;

	private final String url;

	private BrowserContext context;

	private Page page;

	DashboardPageTests(@LocalServerPort int port) {
		this.url = "http://localhost:%d/actuator/ringkernelsdashboard".formatted(port);
	}

	@BeforeAll
	static void startBrowser() {
		playwright = Playwright
			.create(new Playwright.CreateOptions().setEnv(Map.of("PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD", "1")));
		browser = playwright.chromium()
			.launch(new BrowserType.LaunchOptions().setExecutablePath(ChromiumCondition.executable().orElseThrow())
				.setArgs(List.of("--no-sandbox")));
		PlaywrightAssertions.setDefaultAssertionTimeout(PATIENCE_MS);
	}

	@AfterAll
	static void stopBrowser() {
		if (playwright != null) {
			playwright.close();
		}
	}

	@BeforeEach
	void open() {
		open(new Browser.NewContextOptions().setViewportSize(1000, 900));
	}

	private void open(Browser.NewContextOptions options) {
		closePage();
		this.context = browser.newContext(options);
		this.context.setDefaultTimeout(PATIENCE_MS);
		this.page = this.context.newPage();
	}

	@AfterEach
	void closePage() {
		if (this.context != null) {
			this.context.close();
		}
	}

	@AfterEach
	void activate() {
		if (this.kernel.state() != KernelState.ACTIVE) {
			this.kernel.relaunch();
		}
	}

	private Locator card() {
		return this.page.locator("article");
	}

	private Locator note() {
		return this.page.locator(".ringkernels > .rk-note");
	}

	private Locator button(String action) {
		return this.page.getByLabel(action + " twice", new Page.GetByLabelOptions().setExact(true));
	}

	@Test
	void showsAKernelLive() throws Exception {
		this.twice.call(new Number(1));
		this.page.navigate(this.url);
		assertThat(note()).hasText("1 kernel, live.");
		assertThat(card().locator(".rk-state")).hasText("ACTIVE");
		assertThat(card().locator(".rk-plan")).containsText("cpu, persistent, direct");
		this.page.getByText("Why this plan").click();
		assertThat(card().locator("li").first()).hasText("backend 'cpu' was asked for");
		assertThat(card()).containsText(Pattern.compile("Latency: p50 [0-9.]+ [µm]?s, p99"));
		CompletableFuture<Number> held = this.twice.submit(new Number(DashboardApplication.HELD)).toCompletableFuture();
		assertThat(card()).containsText(Pattern.compile("Ring of twice: .*1 requested"));
		assertThat(card().locator("canvas").first()).hasAttribute("aria-label", Pattern.compile(".*1 requested.*"));
		DashboardApplication.GATE.release();
		held.get(10, TimeUnit.SECONDS);
		assertThat(card()).not().containsText("requested");
	}

	@Test
	void deactivatesAndActivatesByTheKeyboard() {
		this.page.onDialog(Dialog::accept);
		this.page.navigate(this.url);
		assertThat(button("Activate")).isDisabled();
		button("Deactivate").focus();
		this.page.keyboard().press("Enter");
		assertThat(card().locator(".rk-state")).hasText("INACTIVE");
		assertThat(note()).hasText("twice is INACTIVE and takes no requests. Activate it.");
		assertThat(this.kernel.state()).isEqualTo(KernelState.INACTIVE);
		assertThat(button("Activate")).isEnabled();
		button("Activate").focus();
		this.page.keyboard().press("Space");
		assertThat(card().locator(".rk-state")).hasText("ACTIVE");
		assertThat(note()).hasText("1 kernel, live.");
		assertThat(this.kernel.state()).isEqualTo(KernelState.ACTIVE);
	}

	@Test
	void relaunchesOnlyAfterAQuestion() {
		this.page.navigate(this.url);
		long before = this.kernel.status().restarts();
		this.page.onceDialog(Dialog::dismiss);
		button("Relaunch").click();
		assertThat(this.kernel.status().restarts()).isEqualTo(before);
		this.page.onceDialog(Dialog::accept);
		button("Relaunch").click();
		assertThat(card().locator(".rk-note")).hasText("twice is ACTIVE.");
		assertThat(this.kernel.status().restarts()).isEqualTo(before + 1);
	}

	@Test
	void saysWhyAnActionIsRefused() {
		this.page.onDialog(Dialog::accept);
		this.page.navigate(this.url);
		this.page.route("**/actuator/ringkernels/twice",
				(route) -> route.fulfill(new Route.FulfillOptions().setStatus(403)));
		button("Deactivate").click();
		assertThat(card().locator(".rk-note")).containsText("You may not do that. Ask for the role");
		assertThat(button("Deactivate")).isEnabled();
	}

	@Test
	void hasNoButtonsWhereTheEndpointIsReadOnly() {
		events("\"actions\": false", "\"twice\": " + kernel("ACTIVE", ""));
		this.page.navigate(this.url);
		assertThat(note()).hasText("1 kernel, live. To activate, deactivate and relaunch from here, set "
				+ "management.endpoint.ringkernels.access to unrestricted.");
		assertThat(card().locator("button:visible")).hasCount(0);
	}

	@Test
	void saysWhatIsWrongWithAKernelAndWhatToDo() {
		events("\"actions\": true", "\"twice\": " + kernel("FAILED", "\"lastFailure\": \"The device was lost\","));
		this.page.navigate(this.url);
		assertThat(note()).hasText("twice has failed: The device was lost. Relaunch it.");
		assertThat(note()).hasClass(Pattern.compile(".*rk-alert.*"));
		assertThat(button("Relaunch")).isEnabled();
		assertThat(button("Deactivate")).isDisabled();
	}

	@Test
	void saysThatThereIsNoKernel() {
		events("\"actions\": true", "");
		this.page.navigate(this.url);
		assertThat(note()).hasText("There is no ring kernel. Annotate a RingKernelHandler bean with @RingKernel.");
	}

	@Test
	void drawsEachKernelAsWideAsItIsBesideTheOthers() {
		events("\"actions\": true",
				"\"first\": %s, \"second\": %s".formatted(kernel("ACTIVE", ""), kernel("ACTIVE", "")), 1);
		this.page.navigate(this.url);
		assertThat(note()).containsText("The application does not answer.");
		assertThat(card()).hasCount(2);
		assertThat(this.page.locator("canvas").evaluateAll("all => all.map(it => it.width - it.clientWidth)"))
			.isEqualTo(List.of(0, 0));
	}

	private void events(String status, String kernels) {
		events(status, kernels, Integer.MAX_VALUE);
	}

	private void events(String status, String kernels, int times) {
		String event = "{%s, \"endpoint\": \"../ringkernels\", \"platform\": {}, \"near\": {}, \"kernels\": {%s}}"
			.formatted(status, kernels);
		this.page.route("**/events", Route::abort);
		this.page.route("**/events", (route) -> route
			.fulfill(new Route.FulfillOptions().setContentType("text/event-stream").setBody("data:" + event + "\n\n")),
				new Page.RouteOptions().setTimes(times));
	}

	private static String kernel(String state, String more) {
		return """
				{"state": "%s", %s "backend": "cpu", "mode": "persistent", "transport": "direct", "workers": 1,
				"reasons": [], "processed": 0, "inFlight": 0, "slots": 0, "oldestRequestAgeMillis": 0, "failed": 0,
				"timedOut": 0, "rejected": 0, "stuck": false, "latency": {}}""".formatted(state, more);
	}

	@Test
	void saysThatTheApplicationDoesNotAnswerAndGoesOn() {
		this.page.route("**/events", Route::abort);
		this.page.navigate(this.url);
		assertThat(note()).containsText("The application does not answer. Start it again");
		this.page.unroute("**/events");
		assertThat(note()).hasText("1 kernel, live.");
	}

	@Test
	void saysThatTooManyAreOpen() {
		this.page.route("**/events",
				(route) -> route.fulfill(new Route.FulfillOptions().setStatus(503)
					.setContentType("application/problem+json")
					.setBody("{\"detail\": \"As many dashboards are open as may be.\"}")));
		this.page.navigate(this.url);
		assertThat(note()).hasText("As many dashboards are open as may be.");
	}

	@Test
	void freesItsPlaceWhenItIsClosed() {
		this.page.navigate(this.url);
		assertThat(note()).hasText("1 kernel, live.");
		this.page.close();
		Awaitility.await().untilAsserted(() -> assertThat(this.streams.size()).isZero());
	}

	@ParameterizedTest
	@EnumSource(names = { "LIGHT", "DARK" })
	void canBeRead(ColorScheme scheme) throws IOException {
		open(new Browser.NewContextOptions().setColorScheme(scheme));
		this.page.navigate(this.url);
		assertThat(note()).hasText("1 kernel, live.");
		assertThat(this.page.evaluate(script("contrast.js")))
			.asInstanceOf(InstanceOfAssertFactories.map(String.class, java.lang.Number.class))
			.hasSizeGreaterThan(5)
			.allSatisfy((name, ratio) -> assertThat(ratio.doubleValue()).as(name).isGreaterThan(MIN_CONTRAST));
	}

	private static String script(String name) throws IOException {
		try (InputStream script = DashboardPageTests.class.getResourceAsStream(name)) {
			return new String(Objects.requireNonNull(script).readAllBytes(), StandardCharsets.UTF_8);
		}
	}

	@ParameterizedTest
	@ValueSource(ints = { 360, 1000 })
	void fitsAndDoesNotMoveWhenFiguresCome(int width) {
		open(new Browser.NewContextOptions().setViewportSize(width, 800));
		this.page.addInitScript("""
				window.shift = 0;
				new PerformanceObserver((list) => list.getEntries().forEach((entry) => window.shift += entry.value))
					.observe({ type: "layout-shift", buffered: true });""");
		this.page.navigate(this.url);
		assertThat(note()).hasText("1 kernel, live.");
		assertThat(card().locator("figcaption").first()).containsText("Ring of twice");
		this.twice.call(new Number(1));
		assertThat(card().locator("figcaption").nth(1)).containsText("Latency: p50");
		assertThat(((java.lang.Number) this.page.evaluate("document.documentElement.scrollWidth")).intValue())
			.isLessThanOrEqualTo(width);
		// Observers are told with the next frame but one.
		this.page.evaluate("() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))");
		assertThat(((java.lang.Number) this.page.evaluate("window.shift")).doubleValue()).isZero();
	}

	@Test
	void loadsNothingFromElsewhere() {
		List<String> requested = new ArrayList<>();
		this.page.onRequest((request) -> requested.add(request.url()));
		this.page.navigate(this.url);
		assertThat(note()).hasText("1 kernel, live.");
		assertThat(requested).hasSizeGreaterThan(3)
			.allMatch((address) -> address.startsWith(this.url) || address.startsWith("data:"));
	}

	@Test
	void isPictured() {
		for (int i = 0; i < 2000; i++) {
			this.twice.call(new Number(i));
		}
		this.page.navigate(this.url);
		assertThat(card()).containsText("Latency: p50");
		assertThat(card().locator("dd").first()).hasText(Pattern.compile("[0-9,]+"));
		byte[] picture = this.page
			.screenshot(new Page.ScreenshotOptions().setPath(Path.of("target/screenshots/dashboard.png")));
		assertThat(picture).isNotEmpty();
	}

}
