package io.ringkernel.cuda.host;

import java.util.Set;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link Quarantine}.
 */
class QuarantineTests {

	private final Quarantine quarantine = new Quarantine();

	@Test
	void aKernelThatWasAloneBothTimesIsKeptAway() {
		assertThat(this.quarantine.hostEnded(Set.of("a"))).isEmpty();
		assertThat(this.quarantine.hostEnded(Set.of("a"))).containsExactly("a");
		assertThat(this.quarantine.contains("a")).isTrue();
	}

	@Test
	void aKernelThatWasAloneOneOfBothTimesIsKeptAway() {
		this.quarantine.hostEnded(Set.of("a"));
		assertThat(this.quarantine.hostEnded(Set.of("a", "b"))).containsExactly("a");
		this.quarantine.hostEnded(Set.of("c", "d"));
		assertThat(this.quarantine.hostEnded(Set.of("d"))).containsExactly("d");
		assertThat(this.quarantine.kernels()).containsExactlyInAnyOrder("a", "d");
	}

	@Test
	void kernelsThatWereNeverAloneStay() {
		this.quarantine.hostEnded(Set.of("a", "b"));
		assertThat(this.quarantine.hostEnded(Set.of("b", "c"))).isEmpty();
		assertThat(this.quarantine.hostEnded(Set.of("b", "c"))).isEmpty();
	}

	@Test
	void differentKernelsStay() {
		this.quarantine.hostEnded(Set.of("a"));
		assertThat(this.quarantine.hostEnded(Set.of("b"))).isEmpty();
	}

	@Test
	void anEndFromOutsideIsBetweenThem() {
		this.quarantine.hostEnded(Set.of("a"));
		assertThat(this.quarantine.hostEnded(Set.of())).isEmpty();
		assertThat(this.quarantine.hostEnded(Set.of("a"))).isEmpty();
	}

	@Test
	void aKernelIsReadmitted() {
		this.quarantine.hostEnded(Set.of("a"));
		this.quarantine.hostEnded(Set.of("a"));
		this.quarantine.readmit("a");
		assertThat(this.quarantine.contains("a")).isFalse();
	}

	@Test
	void aKernelThatWasReadmittedMayEndTheHostOnce() {
		this.quarantine.hostEnded(Set.of("a"));
		this.quarantine.hostEnded(Set.of("a"));
		this.quarantine.readmit("a");
		assertThat(this.quarantine.hostEnded(Set.of("a"))).isEmpty();
		assertThat(this.quarantine.hostEnded(Set.of("a"))).containsExactly("a");
	}

	/** A launch that ends the host is tried once more, and each time is one. */
	@Test
	void aLaunchForgivesNoKernelThatWasNotKeptAway() {
		this.quarantine.hostEnded(Set.of("a"));
		this.quarantine.readmit("a");
		assertThat(this.quarantine.hostEnded(Set.of("a"))).containsExactly("a");
	}

}
