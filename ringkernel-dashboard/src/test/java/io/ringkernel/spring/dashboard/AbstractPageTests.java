package io.ringkernel.spring.dashboard;

import java.util.function.Consumer;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.Route;

import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;

/**
 * The page in a browser, in front of an application or of a status that a test makes up.
 */
@SpringBootTest(classes = DashboardApplication.class, webEnvironment = WebEnvironment.RANDOM_PORT, properties = {
		"spring.application.name=orders", "management.endpoints.web.exposure.include=ringkernels,ringkernelsdashboard",
		"management.endpoint.ringkernels.access=unrestricted", "management.endpoint.ringkernels.show-values=always",
		"management.endpoint.ringkernelsdashboard.interval=200ms", "ringkernel.backend=cpu",
		"ringkernel.timing-interval=1" })
abstract class AbstractPageTests extends BrowserTests {

	AbstractPageTests(int port) {
		super(port, "/actuator/ringkernelsdashboard");
	}

	/** Answers every request for the stream by one status. */
	protected void events(StatusFixture status) {
		events(status, Integer.MAX_VALUE);
	}

	/**
	 * Answers the first requests for the stream by one status; later ones fail.
	 */
	protected void events(StatusFixture status, int times) {
		events(status, times, Route::abort);
	}

	/** Answers the first requests for the stream by one status, and later ones so. */
	protected void events(StatusFixture status, int times, Consumer<Route> later) {
		this.page.route("**/events", later);
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

}
