package io.ringkernel.spring.dashboard;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.boot.actuate.endpoint.Access;
import org.springframework.boot.actuate.endpoint.EndpointAccessResolver;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.core.env.Environment;

/**
 * Logs at startup which property to set if the dashboard is not served because an
 * endpoint is not exposed. An endpoint whose access is {@code none} was turned off on
 * purpose.
 */
record DashboardExposure(Environment environment, EndpointAccessResolver access) implements SmartInitializingSingleton {

	private static final Logger log = LoggerFactory.getLogger(DashboardExposure.class);

	private static final String EXPOSURE = "management.endpoints.web.exposure";

	@Override
	public void afterSingletonsInstantiated() {
		if (Stream.of(DashboardStatus.KERNELS, DashboardStatus.DASHBOARD)
			.anyMatch((endpoint) -> this.access.accessFor(endpoint, Access.READ_ONLY) == Access.NONE)) {
			return;
		}
		List<String> excluded = names("exclude", List.of());
		Set<String> included = new LinkedHashSet<>(names("include", List.of("health")));
		Set<String> needed = new LinkedHashSet<>(included);
		if (!included.contains("*")) {
			needed.addAll(List.of(DashboardStatus.KERNELS.toString(), DashboardStatus.DASHBOARD.toString()));
		}
		if (!needed.equals(included)) {
			log.info(
					"The dashboard of ring kernels is not served: it needs the endpoints {} and {}, and {}.include is "
							+ "{}. Set {}.include={} to serve it.",
					DashboardStatus.KERNELS, DashboardStatus.DASHBOARD, EXPOSURE, String.join(",", included), EXPOSURE,
					String.join(",", needed));
		}
		else if (!excluded.isEmpty()) {
			log.info(
					"The dashboard of ring kernels is not served: it needs the endpoints {} and {}. Remove them from "
							+ "{}.exclude = {} to serve it.",
					DashboardStatus.KERNELS, DashboardStatus.DASHBOARD, EXPOSURE, String.join(",", excluded));
		}
	}

	private List<String> names(String property, List<String> ifNotSet) {
		return Binder.get(this.environment)
			.bind(EXPOSURE + "." + property, String[].class)
			.map(List::of)
			.orElse(ifNotSet);
	}

}
