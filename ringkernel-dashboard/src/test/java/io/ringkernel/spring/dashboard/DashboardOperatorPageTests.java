package io.ringkernel.spring.dashboard;

import java.nio.file.Path;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;

import com.microsoft.playwright.Browser;
import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.Route;
import com.microsoft.playwright.options.BoundingBox;
import com.microsoft.playwright.options.ColorScheme;
import io.ringkernel.RingKernelClient;
import io.ringkernel.exception.HandlerFailedException;
import io.ringkernel.spring.dashboard.DashboardApplication.Number;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.web.server.LocalServerPort;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * What the page tells an operator during and after an incident.
 */
class DashboardOperatorPageTests extends AbstractPageTests {

	/** WCAG 2.2, level AA, graphics. */
	private static final double GRAPHICS_CONTRAST = 3;

	private static final long NOW = 1_790_000_000_000L;

	@Autowired
	private RingKernelClient<Number, Number> twice;

	DashboardOperatorPageTests(@LocalServerPort int port) {
		super(port);
	}

	private static StatusFixture incident() {
		return StatusFixture.ofDevice(NOW)
			.kernel("twice", "ACTIVE", Map.ofEntries(Map.entry("backend", "cuda"), Map.entry("device", 0),
					Map.entry("deviceMemoryBytes", 1_288_490_188L), Map.entry("processed", 31_415_926),
					Map.entry("failed", 1_530), Map.entry("timedOut", 12), Map.entry("lost", 3),
					Map.entry("inFlight", 9), Map.entry("oldestRequestAgeMillis", 14),
					Map.entry("latency",
							Map.of("total",
									Map.of("p50", 15_000, "p99", 7_100_000, "p99.9", 10_000_000, "max", 12_000_000))),
					Map.entry("lastErrors",
							List.of(Map.of("at", "2026-09-21T14:06:41Z", "type", "HandlerFailedException", "message",
									"The handler of ring kernel 'twice' failed: java.lang.IllegalArgumentException: "
											+ "The amount of order 4711 is negative.",
									"count", 1530)))))
			.ring("twice", "AARRCRRPR" + "F".repeat(1015))
			.history("twice")
			.event(880, null, false, "application started", "The application started")
			.event(426, null, true, "kernel host lost", "Kernel host 4699 was lost: it ended by signal 9")
			.event(425, "twice", true, "plan degraded",
					"twice runs by cpu, persistent, direct instead of cuda, persistent, mapped: the kernel host has ended")
			.event(385, null, false, "kernel host restarted", "Kernel host 4711 runs after an outage of 230 ms")
			.event(380, "twice", false, "plan restored",
					"twice runs by cuda, persistent, mapped instead of cpu, persistent, direct: the device is back");
	}

	private void show(StatusFixture status) {
		events(status);
		this.page.navigate(this.url);
		assertThat(value("Connection")).hasText("live");
	}

	@Test
	void showsTheRingsOfTheReplicasThatThereAre() {
		Map<String, Object> active = Map.of("state", "ACTIVE");
		show(new StatusFixture()
			.kernel("twice", "ACTIVE", Map.of("replicas", Map.of("twice.0", active, "twice.1", active)))
			.rings("twice", "FFRF", "twice.0", "twice.1"));
		Locator captions = this.page.locator(".rk-ring figcaption");
		assertThat(captions).hasCount(2);
		events(new StatusFixture()
			.kernel("twice", "ACTIVE",
					Map.of("replicas", Map.of("twice.0", active, "twice.1", Map.of("state", "FAILED"))))
			.rings("twice", "FFRF", "twice.0"));
		assertThat(captions.last()).hasText("There is no ring while the kernel is FAILED.");
		events(new StatusFixture().kernel("twice", "ACTIVE", Map.of()).rings("twice", "FFRF", "twice.0"));
		assertThat(captions).hasCount(1);
		assertThat(captions).containsText("Ring of twice.0: ");
		events(new StatusFixture().kernel("twice", "TERMINATED", Map.of()).rings("twice", ""));
		assertThat(captions).hasText("There is no ring while the kernel is TERMINATED.");
	}

	private Locator caption() {
		return this.page.locator(".rk-history figcaption");
	}

	@Test
	void showsErrorsWithTheirRateTheirColorAndTheLastCause() {
		this.page.navigate(this.url);
		assertThat(card().locator(".rk-cause")).hasText("No error since the start.");
		String calm = color("Errors/s");
		Awaitility.await().untilAsserted(() -> {
			assertThatExceptionOfType(HandlerFailedException.class)
				.isThrownBy(() -> this.twice.call(new Number(DashboardApplication.FAILING)));
			assertThat(value("Errors/s").getAttribute("data-errors")).isEqualTo("now");
			assertThat(value("Errors/s").textContent()).matches("[0-9,.]*[1-9][0-9,.]*");
		});
		assertThat(color("Errors/s")).isNotEqualTo(calm);
		assertThat(card().locator(".rk-cause"))
			.hasText(Pattern.compile("Last error, \\d\\d:\\d\\d:\\d\\d.*: HandlerFailedException: .*"
					+ "IllegalArgumentException: The amount of order 4711 is negative\\..*"));
	}

	private String color(String name) {
		return String.valueOf(value(name).evaluate("it => getComputedStyle(it).color"));
	}

	@Test
	void saysHowToSeeMessagesThatAreHidden() {
		show(new StatusFixture().kernel("twice", "ACTIVE", Map.of("lastErrors", List.of(Map.of("at",
				"2026-09-21T14:06:41Z", "type", "HandlerFailedException", "message", "******", "count", 1)))));
		assertThat(card().locator(".rk-cause"))
			.containsText("HandlerFailedException: its message is hidden. To see it, "
					+ "set management.endpoint.ringkernels.show-values to always.");
	}

	@Test
	void drawsThroughputLatencyAndErrorsOfFifteenMinutes() {
		show(incident());
		Locator chart = this.page.locator(".rk-history svg");
		assertThat(chart.locator(".rk-line")).hasCount(3);
		assertThat(chart.locator(".rk-error")).hasCount(9);
		assertThat(chart.locator(".rk-title")).hasText(new String[] { "Requests/s", "Latency p50, p99", "Errors/s" });
		assertThat(chart.locator(".rk-count"))
			.hasText(new String[] { "0", "50K", "100K", "10 µs", "100 µs", "1 ms", "10 ms", "0", "500" });
		assertThat(chart.locator(".rk-p50")).hasText("p50");
		assertThat(chart.locator(".rk-p99")).hasText("p99");
		assertThat(chart).hasAttribute("aria-label", Pattern
			.compile("Last 15 minutes of twice\\. Now, .* requests/s, " + "p50 18 µs, p99 4\\.0 ms, 0 errors/s"));
	}

	@Test
	void latencyHasNoLineWhereNothingWasTimed() {
		show(incident());
		assertThat(this.page.locator(".rk-history .rk-dashed")).hasAttribute("d", Pattern.compile("M[^M]*M[^M]*"));
	}

	@Test
	void showsTheFiguresOfAMomentUnderThePointer() {
		show(incident());
		BoundingBox chart = this.page.locator(".rk-history svg").boundingBox();
		this.page.mouse().move(chart.x + chart.width / 2, chart.y + 60);
		assertThat(caption()).hasText(Pattern.compile("\\d\\d:05:\\d\\d: [0-9,]+ requests/s, p50 .* errors/s"));
		this.page.mouse().move(chart.x, chart.y - 100);
		assertThat(caption()).hasText(Pattern.compile("Now, .*"));
	}

	@Test
	void hasTheFiguresByMinuteAsText() {
		show(incident());
		this.page.getByText("Figures by minute").click();
		Locator rows = this.page.locator("tbody tr");
		assertThat(rows).hasCount(16);
		assertThat(rows.first().locator("th, td")).hasCount(5);
		assertThat(rows.first()).hasText(Pattern.compile("\\d\\d:13[0-9,]+16 µs4\\.0 ms0"));
	}

	@Test
	void marksEventsAndSaysWhatTheyAre() {
		show(incident());
		Locator marks = this.page.locator(".rk-event");
		assertThat(marks).hasCount(3);
		assertThat(marks.nth(1)).hasAttribute("aria-label",
				Pattern.compile("\\d\\d:06:14 kernel host lost: Kernel host 4699 was lost: it ended by signal 9\n"
						+ "\\d\\d:06:15 plan degraded: twice runs by cpu, .*"));
		assertThat(marks.nth(1)).hasClass(Pattern.compile(".*rk-problem.*"));
		BoundingBox mark = marks.nth(1).boundingBox();
		this.page.mouse().move(mark.x + mark.width / 2, mark.y + 8);
		assertThat(caption()).containsText("kernel host lost: Kernel host 4699 was lost");
		this.page.getByText("Events (5), latest").click();
		assertThat(this.page.locator(".rk-events li")).hasCount(5);
		assertThat(this.page.locator(".rk-events li").first()).containsText("plan restored: twice runs by cuda");
	}

	@Test
	void eventsOfAnotherKernelAreNotMarked() {
		show(new StatusFixture().now(NOW)
			.kernel("twice", "ACTIVE", Map.of())
			.event(60, "twice.1", true, "failed", "twice.1 failed")
			.event(30, "twicer", true, "failed", "twicer failed"));
		assertThat(this.page.locator(".rk-event")).hasCount(1);
		assertThat(this.page.locator(".rk-event")).hasAttribute("aria-label", Pattern.compile(".*twice\\.1 failed"));
	}

	@Test
	void marksWhatHappensToTheKernelOfTheApplication() {
		this.page.navigate(this.url);
		assertThat(this.page.getByText(Pattern.compile("Events \\(\\d+\\), latest .* active"))).isVisible();
	}

	@Test
	void headerShowsDeviceMemoryUtilizationHostAndUptime() {
		show(incident());
		assertThat(value("Device")).hasText("NVIDIA H100 80GB HBM3");
		assertThat(value("Device memory")).hasText("1.2 GiB held by kernels, of 79.1 GiB");
		assertThat(value("Utilization")).hasText("37 % of the workers' time");
		assertThat(value("Kernel host")).hasText("process 4711, up 7 min, restarted once");
		assertThat(value("Application")).hasText("orders, process 815, up 2 h 3 min");
	}

	@Test
	void headerShowsTheProcessIfKernelsRunOnTheCpu() {
		this.page.navigate(this.url);
		assertThat(value("Device")).hasText(Pattern.compile("CPU, \\w+, \\d+ processors"));
		assertThat(value("Memory (heap)")).hasText(Pattern.compile("[0-9.]+ MiB of [0-9.]+ [MG]iB"));
		assertThat(value("Utilization")).hasText(Pattern.compile("[0-9.]+ % of the CPU"));
		assertThat(value("Kernel host")).hasText("none, kernels run in the application");
		assertThat(value("Application"))
			.hasText(Pattern.compile("orders, process " + ProcessHandle.current().pid() + ", up .*"));
	}

	@Test
	void doesNotKnowTheStateOfAnApplicationThatHasGoneAndGoesOnWhenItIsBack() {
		events(incident(), 1);
		this.page.navigate(this.url);
		assertThat(card().locator(".rk-state")).hasText(Pattern.compile("UNKNOWN, last seen \\d\\d:\\d\\d:\\d\\d"));
		assertThat(value("Connection")).hasText(Pattern.compile("UNKNOWN, last seen \\d\\d:\\d\\d:\\d\\d"));
		assertThat(note()).hasText("The application does not answer. Start it again; this page goes on by itself.");
		for (String action : List.of("Activate", "Deactivate", "Relaunch")) {
			assertThat(button(action)).isDisabled();
		}
		this.page.unroute("**/events");
		long later = NOW + 60_000;
		events(new StatusFixture().actions(true)
			.now(later)
			.kernel("twice", "ACTIVE", Map.of())
			.samples("twice", new HistorySample(later - 5000, 10, 0, 15_000L, 20_000L, null),
					new HistorySample(later, 10, 0, 15_000L, 20_000L, null)));
		assertThat(card().locator(".rk-state")).hasText("ACTIVE");
		assertThat(value("Connection")).hasText("live");
		assertThat(button("Deactivate")).isEnabled();
		assertThat(this.page.locator(".rk-history .rk-line").first()).hasAttribute("d",
				Pattern.compile("M[^M]{1000,}M[^M]{1,60}"));
	}

	@Test
	void doesNotKnowTheStateWhileTheApplicationSaysNothing() {
		this.page.clock().install();
		this.page.addInitScript("""
				window.asked = 0;
				const ask = window.fetch;
				window.fetch = (address, options) => ++window.asked === 1 ? ask(address, options).then((response) => {
					const first = new TransformStream();
					response.body.pipeTo(first.writable, { preventClose: true });
					return new Response(first.readable);
				}) : new Promise(() => {});""");
		events(incident(), 1);
		this.page.navigate(this.url);
		assertThat(card().locator(".rk-state")).hasText("ACTIVE");
		this.page.clock().runFor(16_000);
		assertThat(card().locator(".rk-state")).hasText(Pattern.compile("UNKNOWN, last seen .*"));
		assertThat(note()).containsText("The application has said nothing for 15 s.");
	}

	@Test
	void labelsTheLinesAndTheAxisOfTheLatency() {
		show(incident());
		Locator chart = this.page.locator(".rk-latency svg");
		assertThat(chart.locator(".rk-percentile text"))
			.hasText(new String[] { "p50 15 µs", "p99 7.1 ms", "max 12 ms" });
		assertThat(chart.locator(".rk-count")).hasText(new String[] { "0", "20K" });
		assertThat(chart).containsText("timed requests");
		assertThat(chart.locator("rect title").nth(2)).hasText("18,400 below 20 µs");
	}

	@Test
	void hasAKeyOfTheRing() {
		show(incident());
		assertThat(this.page.locator(".rk-key li"))
			.hasText(new String[] { "free", "claimed", "requested", "answered", "passed over" });
		Object drawn = this.page.locator(".rk-key canvas")
			.evaluateAll("all => all.map(it => it.toDataURL()).filter((it, i, them) => them.indexOf(it) === i).length");
		assertThat(drawn).isEqualTo(5);
	}

	@ParameterizedTest
	@ValueSource(ints = { 360, 768, 1280 })
	void noTextMeetsAnotherOrLeavesItsCard(int width) {
		open(new Browser.NewContextOptions().setViewportSize(width, 900));
		show(incident().kernel("a-kernel-with-a-name-that-is-rather-long", "INACTIVE", Map.of()));
		this.page.locator("summary").all().forEach(Locator::click);
		assertThat(this.page.evaluate(script("collisions.js")))
			.asInstanceOf(InstanceOfAssertFactories.map(String.class, Object.class))
			.containsEntry("problems", List.of())
			.extractingByKey("texts", InstanceOfAssertFactories.INTEGER)
			.isGreaterThan(100);
		assertThat(((java.lang.Number) this.page.evaluate("document.documentElement.scrollWidth")).intValue())
			.isLessThanOrEqualTo(width);
	}

	@ParameterizedTest
	@EnumSource(names = { "LIGHT", "DARK" })
	void canBeRead(ColorScheme scheme) {
		open(new Browser.NewContextOptions().setColorScheme(scheme));
		show(incident());
		this.page.locator("summary").all().forEach(Locator::click);
		assertContrast();
		this.page.unroute("**/events");
		this.page.route("**/events", Route::abort);
		assertThat(card().locator(".rk-state")).containsText("UNKNOWN");
		assertContrast();
	}

	private void assertContrast() {
		assertThat(contrast("h1", "h2", "h3", ".rk-note", ".rk-plan", ".rk-state", ".rk-cause", "summary", "dt", "dd",
				"figcaption", "button", ".rk-key li", "th", "td", ".rk-events li"))
			.hasSizeGreaterThan(30)
			.allSatisfy((name, ratio) -> assertThat(ratio.doubleValue()).as(name).isGreaterThan(MIN_CONTRAST_OF_TEXT));
		@SuppressWarnings("unchecked")
		Map<String, Map<String, java.lang.Number>> charts = (Map<String, Map<String, java.lang.Number>>) this.page
			.evaluate(script("chart-contrast.js"));
		assertThat(charts.get("texts")).hasSizeGreaterThan(10)
			.allSatisfy((name, ratio) -> assertThat(ratio.doubleValue()).as(name).isGreaterThan(MIN_CONTRAST_OF_TEXT));
		assertThat(charts.get("graphics")).hasSizeGreaterThan(20)
			.allSatisfy((name, ratio) -> assertThat(ratio.doubleValue()).as(name).isGreaterThan(GRAPHICS_CONTRAST));
	}

	@Test
	void everythingThatActsIsReachedByTheKeyboard() {
		show(incident());
		Set<Object> reached = new LinkedHashSet<>();
		for (int i = 0; i < 15; i++) {
			this.page.keyboard().press("Tab");
			reached
				.add(this.page.evaluate("document.activeElement.getAttribute('aria-label')?.replace(/^[0-9:]* /, '') "
						+ "?? document.activeElement.textContent.replace(/[ (,].*/, '')"));
		}
		assertThat(reached).contains("Why", "application started: The application started", "Events", "Figures",
				"Deactivate twice", "Relaunch twice");
	}

	@Test
	void aMarkThatHasTheFocusKeepsItWhenFiguresCome() {
		show(incident());
		this.page.locator(".rk-event").first().focus();
		assertThat(caption()).containsText("application started");
		this.page.setViewportSize(900, 900);
		assertThat(this.page.locator(".rk-history svg")).hasAttribute("viewBox", Pattern.compile("0 0 8\\d\\d .*"));
		assertThat(this.page.locator(".rk-event").first()).isFocused();
	}

	@Test
	void everyDrawingHasAName() {
		show(incident());
		assertThat(this.page.locator("svg, canvas:not([aria-hidden])")
			.evaluateAll("all => all.map(it => [it.getAttribute('role'), it.getAttribute('aria-label')].join(' '))"))
			.asInstanceOf(InstanceOfAssertFactories.list(String.class))
			.hasSize(3)
			.allMatch((name) -> name.matches("(?s)(img|group) .{20,}"));
	}

	@ParameterizedTest
	@CsvSource({ "360, LIGHT", "360, DARK", "1000, LIGHT", "1280, LIGHT", "1280, DARK" })
	void isPictured(int width, ColorScheme scheme) {
		open(new Browser.NewContextOptions().setViewportSize(width, 900).setColorScheme(scheme));
		show(incident());
		byte[] picture = this.page.screenshot(new Page.ScreenshotOptions().setFullPage(true)
			.setPath(Path.of("target/screenshots/dashboard-%d-%s.png".formatted(width,
					scheme.name().toLowerCase(Locale.ROOT)))));
		assertThat(picture).isNotEmpty();
	}

}
