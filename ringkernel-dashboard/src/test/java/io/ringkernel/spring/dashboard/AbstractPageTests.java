package io.ringkernel.spring.dashboard;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Objects;

import com.microsoft.playwright.Browser;
import com.microsoft.playwright.BrowserContext;
import com.microsoft.playwright.BrowserType;
import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.Playwright;
import com.microsoft.playwright.Route;
import com.microsoft.playwright.assertions.PlaywrightAssertions;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;

/**
 * The page in a browser, in front of an application or of a status that a test makes up.
 */
@ExtendWith(ChromiumCondition.class)
@SpringBootTest(classes = DashboardApplication.class, webEnvironment = WebEnvironment.RANDOM_PORT, properties = {
		"spring.application.name=orders", "management.endpoints.web.exposure.include=ringkernels,ringkernelsdashboard",
		"management.endpoint.ringkernels.access=unrestricted", "management.endpoint.ringkernels.show-values=always",
		"management.endpoint.ringkernelsdashboard.interval=200ms", "ringkernel.backend=cpu",
		"ringkernel.timing-interval=1",
		"management.metrics.distribution.slo.ringkernel.request=2us,5us,10us,20us,50us,100us,1ms,1s" })
abstract class AbstractPageTests {

	private static final double PATIENCE_MS = 30_000;

	private static Playwright playwright;

	private static Browser browser;

	protected final String url;

	private BrowserContext context;

	protected Page page;

	AbstractPageTests(int port) {
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

	protected void open(Browser.NewContextOptions options) {
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

	/** Answers every request for the stream by one status. */
	protected void events(StatusFixture status) {
		events(status, Integer.MAX_VALUE);
	}

	/**
	 * Answers the first requests for the stream by one status; later ones find nobody.
	 */
	protected void events(StatusFixture status, int times) {
		this.page.route("**/events", Route::abort);
		this.page.route("**/events",
				(route) -> route.fulfill(new Route.FulfillOptions().setContentType("text/event-stream")
					.setBody("data:" + status.json() + "\n\n")),
				new Page.RouteOptions().setTimes(times));
	}

	protected Locator card() {
		return this.page.locator("article");
	}

	protected Locator note() {
		return this.page.locator(".ringkernels > .rk-note");
	}

	protected Locator button(String action) {
		return this.page.getByLabel(action + " twice", new Page.GetByLabelOptions().setExact(true));
	}

	/** The value beside a name. */
	protected Locator value(String name) {
		return this.page.locator("dl > div")
			.filter(new Locator.FilterOptions()
				.setHas(this.page.getByText(name, new Page.GetByTextOptions().setExact(true))))
			.locator("dd")
			.first();
	}

	protected static String script(String name) throws IOException {
		try (InputStream script = AbstractPageTests.class.getResourceAsStream(name)) {
			return new String(Objects.requireNonNull(script).readAllBytes(), StandardCharsets.UTF_8);
		}
	}

}
