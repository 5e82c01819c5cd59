package io.ringkernel.cuda.host;

import io.ringkernel.backend.Backend;
import io.ringkernel.backend.BackendProvider;
import io.ringkernel.platform.PlanOffer;
import io.ringkernel.platform.PlanRequest;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Keeps one kernel host for all tests of a class and of its nested classes. A host ends
 * with the last backend that uses it; this one is open throughout. Registered as a static
 * field.
 */
public final class KeptHost implements BeforeAllCallback, AfterAllCallback {

	private final KernelHostProvider provider;

	private final PlanRequest plan;

	private @Nullable Backend backend;

	/** Whose end takes the backend along: a nested class begins and ends as well. */
	private @Nullable ExtensionContext outermost;

	/**
	 * Creates it, without a host.
	 * @param provider what starts the host
	 * @param plan what the tests ask for
	 */
	public KeptHost(KernelHostProvider provider, PlanRequest plan) {
		this.provider = provider;
		this.plan = plan;
	}

	/**
	 * The provider of the host, for the tests.
	 */
	public BackendProvider provider() {
		return this.provider;
	}

	/**
	 * What the tests ask for.
	 */
	public PlanRequest plan() {
		return this.plan;
	}

	@Override
	public void beforeAll(ExtensionContext context) {
		if (this.backend == null) {
			PlanOffer offer = this.provider.plan(this.plan);
			assertThat(offer).isInstanceOf(PlanOffer.Accepted.class);
			this.backend = this.provider.open(((PlanOffer.Accepted) offer).plan());
			this.outermost = context;
		}
	}

	@Override
	public void afterAll(ExtensionContext context) {
		Backend open = this.backend;
		if (open != null && context.equals(this.outermost)) {
			this.backend = null;
			assertThat(this.provider.hosts()).as("the host of all tests").singleElement().satisfies((host) -> {
				assertThat(host.crashes()).isZero();
				assertThat(host.restarts()).isZero();
			});
			open.close();
		}
	}

}
