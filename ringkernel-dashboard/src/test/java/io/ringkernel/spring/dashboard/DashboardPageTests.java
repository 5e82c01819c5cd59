package io.ringkernel.spring.dashboard;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;

import com.microsoft.playwright.Browser;
import com.microsoft.playwright.Dialog;
import com.microsoft.playwright.Route;
import io.ringkernel.KernelState;
import io.ringkernel.RingKernelClient;
import io.ringkernel.runtime.Kernel;
import io.ringkernel.spring.dashboard.DashboardApplication.Number;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.context.ConfigurableApplicationContext;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * The page, used as a person does.
 */
class DashboardPageTests extends AbstractPageTests {

	@Autowired
	private RingKernelClient<Number, Number> twice;

	@Autowired
	private Kernel<Number, Number> kernel;

	@Autowired
	private DashboardStreams streams;

	DashboardPageTests(@LocalServerPort int port) {
		super(port);
	}

	@AfterEach
	void activate() {
		if (this.kernel.state() != KernelState.ACTIVE) {
			this.kernel.relaunch();
		}
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
		assertThat(card().locator(".rk-ring canvas")).hasAttribute("aria-label", Pattern.compile(".*1 requested.*"));
		DashboardApplication.GATE.release();
		held.get(10, TimeUnit.SECONDS);
		assertThat(card().locator(".rk-ring figcaption")).not().containsText("requested");
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
		events(new StatusFixture().kernel("twice", "ACTIVE", Map.of()));
		this.page.navigate(this.url);
		assertThat(note()).hasText("1 kernel, live. To activate, deactivate and relaunch from here, set "
				+ "management.endpoint.ringkernels.access to unrestricted.");
		assertThat(card().locator("button:visible")).hasCount(0);
	}

	@Test
	void saysWhatIsWrongWithAKernelAndWhatToDo() {
		events(new StatusFixture().actions(true)
			.kernel("twice", "FAILED", Map.of("lastFailure", "The device was lost")));
		this.page.navigate(this.url);
		assertThat(note()).hasText("twice has failed: The device was lost. Relaunch it.");
		assertThat(note()).hasClass(Pattern.compile(".*rk-alert.*"));
		assertThat(button("Relaunch")).isEnabled();
		assertThat(button("Deactivate")).isDisabled();
	}

	@Test
	void saysThatThereIsNoKernel() {
		events(new StatusFixture());
		this.page.navigate(this.url);
		assertThat(note()).hasText("There is no ring kernel. Annotate a RingKernelHandler bean with @RingKernel.");
	}

	@Test
	void drawsEachKernelAsWideAsItIsBesideTheOthers() {
		events(new StatusFixture().kernel("first", "ACTIVE", Map.of()).kernel("second", "ACTIVE", Map.of()), 1);
		this.page.navigate(this.url);
		assertThat(note()).containsText("The application does not answer.");
		assertThat(card()).hasCount(2);
		assertThat(
				this.page.locator("svg").evaluateAll("all => all.map(it => it.viewBox.baseVal.width - it.clientWidth)"))
			.isEqualTo(List.of(0, 0, 0, 0));
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
	void doesNotKnowTheStateIfALoginPageAnswersInPlaceOfTheStream() {
		events(new StatusFixture().kernel("twice", "ACTIVE", Map.of()), 1,
				(route) -> route.fulfill(new Route.FulfillOptions().setContentType("text/html")
					.setBody("<!DOCTYPE html><title>Log in</title>")));
		this.page.navigate(this.url);
		assertThat(card().locator(".rk-state")).hasText("ACTIVE");
		assertThat(card().locator(".rk-state")).containsText("UNKNOWN, last seen");
		assertThat(note()).containsText("The application's answer is no live stream.");
	}

	@Test
	void followsAnApplicationThroughItsRestart() {
		String port;
		try (ConfigurableApplicationContext application = run("0")) {
			port = String.valueOf(application.getEnvironment().getProperty("local.server.port"));
			this.page.navigate("http://localhost:%s/actuator/ringkernelsdashboard".formatted(port));
			assertThat(card().locator(".rk-state")).hasText("ACTIVE");
		}
		assertThat(card().locator(".rk-state")).containsText("UNKNOWN, last seen");
		try (ConfigurableApplicationContext application = run(port)) {
			assertThat(card().locator(".rk-state")).hasText("ACTIVE");
			this.page.getByText("Events (").click();
			assertThat(this.page.locator(".rk-events li").getByText("The application started")).hasCount(2);
			assertThat(application.isActive()).isTrue();
		}
	}

	private static ConfigurableApplicationContext run(String port) {
		return SpringApplication.run(DashboardApplication.class, "--server.port=" + port, "--ringkernel.backend=cpu",
				"--management.endpoints.web.exposure.include=ringkernels,ringkernelsdashboard");
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
	@ValueSource(ints = { 360, 1000 })
	void fitsAndDoesNotMoveWhenFiguresCome(int width) {
		open(new Browser.NewContextOptions().setViewportSize(width, 800));
		this.page.addInitScript("""
				window.shift = 0;
				new PerformanceObserver((list) => list.getEntries().forEach((entry) => window.shift += entry.value))
					.observe({ type: "layout-shift", buffered: true });""");
		this.page.navigate(this.url);
		assertThat(note()).hasText("1 kernel, live.");
		assertThat(card().locator(".rk-ring figcaption")).containsText("Ring of twice");
		this.twice.call(new Number(1));
		assertThat(card().locator(".rk-latency figcaption")).containsText("Latency: p50");
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

}
