package io.ringkernel.spring.dashboard;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;

import jakarta.servlet.http.HttpServletResponse;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.actuate.endpoint.Access;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import org.springframework.boot.actuate.endpoint.annotation.Selector;
import org.springframework.boot.actuate.endpoint.web.PathMappedEndpoints;
import org.springframework.boot.actuate.endpoint.web.WebEndpointResponse;
import org.springframework.boot.actuate.endpoint.web.annotation.WebEndpoint;
import org.springframework.util.MimeType;
import org.springframework.web.context.request.RequestContextHolder;
import org.springframework.web.context.request.ServletRequestAttributes;
import org.springframework.web.servlet.mvc.method.annotation.SseEmitter;

/**
 * {@link WebEndpoint @WebEndpoint} that is a page: every ring kernel, live. The page
 * reads from here alone. Its buttons send their requests to the endpoint
 * {@code ringkernels}, whose access and security decide about them.
 *
 * @since 0.2.0
 */
@WebEndpoint(id = RingKernelsDashboardEndpoint.ID, defaultAccess = Access.READ_ONLY)
public class RingKernelsDashboardEndpoint {

	/** What the endpoint is called. */
	static final String ID = "ringkernelsdashboard";

	private static final int STATUS_UNAVAILABLE = 503;

	private static final MimeType HTML = new MimeType("text", "html", StandardCharsets.UTF_8);

	private static final MimeType JAVASCRIPT = new MimeType("text", "javascript", StandardCharsets.UTF_8);

	private static final MimeType CSS = new MimeType("text", "css", StandardCharsets.UTF_8);

	private static final String PAGE = "dashboard.html";

	/** What the page consists of beside its HTML. */
	private static final Set<String> PARTS = Set.of("charts.css", "dashboard.css", "dashboard.js", "dom.js",
			"history.js", "history-chart.js", "http.js", "kernel.js", "latency.js", "platform.js", "ring.js");

	private static final MimeType PROBLEM_JSON = new MimeType("application", "problem+json");

	private final DashboardStatus status;

	private final DashboardStreams streams;

	private final RingKernelsDashboardProperties properties;

	private final ObjectProvider<PathMappedEndpoints> paths;

	RingKernelsDashboardEndpoint(DashboardStatus status, DashboardStreams streams,
			RingKernelsDashboardProperties properties, ObjectProvider<PathMappedEndpoints> paths) {
		this.status = status;
		this.streams = streams;
		this.properties = properties;
		this.paths = paths;
	}

	/**
	 * The page. Pages of other origins cannot show it in a frame.
	 * @return HTML
	 */
	@ReadOperation(produces = "text/html")
	public WebEndpointResponse<byte[]> page() {
		allowFramesOfThisOriginOnly();
		String root = String.valueOf(this.paths.getObject().getRootPath(DashboardStatus.DASHBOARD));
		String html = new String(file(PAGE), StandardCharsets.UTF_8).replace("{dashboard}",
				root.substring(root.lastIndexOf('/') + 1));
		return new WebEndpointResponse<>(html.getBytes(StandardCharsets.UTF_8), HTML);
	}

	/**
	 * What the page consists of beside its HTML.
	 * @param part a style sheet or script, such as {@code dashboard.js}, or
	 * {@code events}: the status of all kernels, again and again, as server-sent events
	 * @return the part; 404 if there is no such part, 503 if as many pages are open as
	 * there may be
	 */
	@ReadOperation(produces = { "text/javascript", "text/css", "text/event-stream", "application/problem+json" })
	public Object part(@Selector String part) {
		if (part.equals("events")) {
			return events();
		}
		if (PARTS.contains(part)) {
			return new WebEndpointResponse<>(file(part), part.endsWith(".css") ? CSS : JAVASCRIPT);
		}
		return problem(WebEndpointResponse.STATUS_NOT_FOUND, "Not Found",
				"The dashboard has no such part. Open it at its own address.");
	}

	/** The files of the page, as they lie beside this class. */
	static Stream<String> files() {
		return Stream.concat(Stream.of(PAGE), PARTS.stream());
	}

	private Object events() {
		PathMappedEndpoints paths = this.paths.getObject();
		SseEmitter stream = this.streams.open(this.status.stream(paths));
		return (stream != null) ? stream
				: problem(STATUS_UNAVAILABLE, "Service Unavailable",
						("As many dashboards are open as may be, %1$d, or the application stops. Close one, or raise "
								+ "%2$s.max-clients.")
							.formatted(this.properties.maxClients(), RingKernelsDashboardProperties.PREFIX));
	}

	/** Neither the response of an endpoint nor the HTML of a page can say this. */
	private static void allowFramesOfThisOriginOnly() {
		if (RequestContextHolder.getRequestAttributes() instanceof ServletRequestAttributes attributes) {
			HttpServletResponse response = attributes.getResponse();
			if (response != null) {
				response.addHeader("Content-Security-Policy", "frame-ancestors 'self'");
			}
		}
	}

	private static WebEndpointResponse<Map<String, Object>> problem(int status, String title, String detail) {
		Map<String, Object> body = new LinkedHashMap<>();
		body.put("title", title);
		body.put("status", status);
		body.put("detail", detail);
		return new WebEndpointResponse<>(body, status, PROBLEM_JSON);
	}

	private static byte[] file(String name) {
		try (InputStream file = RingKernelsDashboardEndpoint.class.getResourceAsStream(name)) {
			return Objects.requireNonNull(file, name).readAllBytes();
		}
		catch (IOException ex) {
			throw new UncheckedIOException("%s of the dashboard cannot be read.".formatted(name), ex);
		}
	}

}
