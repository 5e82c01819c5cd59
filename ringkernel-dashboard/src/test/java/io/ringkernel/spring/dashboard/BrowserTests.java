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
import com.microsoft.playwright.Page;
import com.microsoft.playwright.Playwright;
import com.microsoft.playwright.assertions.PlaywrightAssertions;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * A page in a browser, a new one for each test. Also the base of such tests in the
 * modules that use the test jar of this one.
 */
@ExtendWith(ChromiumCondition.class)
public abstract class BrowserTests {

	/** WCAG 2.2, level AA, text of normal size. */
	protected static final double MIN_CONTRAST_OF_TEXT = 4.5;

	private static final double PATIENCE_MS = 30_000;

	private static Playwright playwright;

	private static Browser browser;

	protected final String url;

	private BrowserContext context;

	protected Page page;

	/**
	 * Creates the tests.
	 * @param port the port of the application
	 * @param path the path of the page, from a slash on
	 */
	protected BrowserTests(int port, String path) {
		this.url = "http://localhost:%d%s".formatted(port, path);
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

	/**
	 * Goes on with another page.
	 * @param options of the browser
	 */
	protected final void open(Browser.NewContextOptions options) {
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

	/**
	 * The contrast of texts against the ground behind them, as WCAG 2 defines it.
	 * @param selectors which elements
	 * @return the contrast by the selector and number of the element
	 */
	@SuppressWarnings("unchecked")
	protected final Map<String, Number> contrast(String... selectors) {
		this.page.evaluate(script("contrast.js"));
		return (Map<String, Number>) this.page.evaluate("contrastOfTexts", List.of(selectors));
	}

	static String script(String name) {
		try (InputStream script = BrowserTests.class.getResourceAsStream(name)) {
			return new String(Objects.requireNonNull(script).readAllBytes(), StandardCharsets.UTF_8);
		}
		catch (IOException ex) {
			throw new IllegalStateException(ex);
		}
	}

}
