package io.ringkernel.runtime;

import java.util.List;
import java.util.Map;

import io.ringkernel.backend.Backend;
import io.ringkernel.backend.BackendProvider;
import io.ringkernel.cpu.CpuBackendProvider;
import io.ringkernel.exception.InvalidConfigurationException;
import io.ringkernel.platform.BackendKind;
import io.ringkernel.platform.ConfiguredName;
import io.ringkernel.platform.ExecutionMode;
import io.ringkernel.platform.ExecutionPlan;
import io.ringkernel.platform.PlanOffer;
import io.ringkernel.platform.PlanRequest;
import io.ringkernel.platform.Transport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

@Timeout(10)
class PlannerTests {

	private static final PlanOffer ON_DEVICE = new PlanOffer.Accepted(new ExecutionPlan(BackendKind.CUDA,
			ExecutionMode.PERSISTENT, Transport.MAPPED, List.of("a running kernel sees host writes"), Map.of()));

	private static final PlanOffer NO_DEVICE = new PlanOffer.Refused("no driver was found", "Install one.");

	private record Offering(BackendKind kind, PlanOffer offer) implements BackendProvider {

		@Override
		public PlanOffer plan(PlanRequest request) {
			return this.offer;
		}

		@Override
		public Backend open(ExecutionPlan plan) {
			throw new UnsupportedOperationException();
		}

	}

	private static Planner planner(PlanOffer cuda) {
		return new Planner(List.of(new CpuBackendProvider(), new Offering(BackendKind.CUDA, cuda)));
	}

	@Test
	void aDeviceIsPreferredToTheCpu() {
		Planner.Choice choice = planner(ON_DEVICE).choose(PlanRequest.AUTO);
		assertThat(choice.plan().backend()).isEqualTo(BackendKind.CUDA);
		assertThat(choice.provider().kind()).isEqualTo(BackendKind.CUDA);
		assertThat(choice.plan().reasons()).containsExactly("a running kernel sees host writes");
	}

	@Test
	void withoutADeviceItIsTheCpuAndThePlanSaysWhy() {
		ExecutionPlan plan = planner(NO_DEVICE).choose(PlanRequest.AUTO).plan();
		assertThat(plan.backend()).isEqualTo(BackendKind.CPU);
		assertThat(plan.mode()).isEqualTo(ExecutionMode.PERSISTENT);
		assertThat(plan.transport()).isEqualTo(Transport.DIRECT);
		assertThat(plan.reasons().get(0)).isEqualTo("not 'cuda', because no driver was found");
		assertThat(plan.reasons()).hasSize(2);
		assertThat(plan.platform()).containsKeys("os", "architecture", "processors");
	}

	@Test
	void aBackendThatWasAskedForIsTaken() {
		ExecutionPlan plan = planner(ON_DEVICE).choose(new PlanRequest(BackendKind.CPU, null, null)).plan();
		assertThat(plan.backend()).isEqualTo(BackendKind.CPU);
		assertThat(plan.reasons()).contains("backend 'cpu' was asked for");
	}

	@ParameterizedTest
	@EnumSource(ExecutionMode.class)
	void aModeThatWasAskedForIsTaken(ExecutionMode mode) {
		ExecutionPlan plan = planner(NO_DEVICE).choose(new PlanRequest(null, mode, null)).plan();
		assertThat(plan.mode()).isEqualTo(mode);
		assertThat(plan.reasons()).last().asString().contains("was asked for");
	}

	@Test
	void aBackendThatCannotBeHadIsRefusedWithReasonAndRemedy() {
		assertThatExceptionOfType(InvalidConfigurationException.class)
			.isThrownBy(() -> planner(NO_DEVICE).choose(new PlanRequest(BackendKind.CUDA, null, null)))
			.satisfies((ex) -> {
				assertThat(ex.setting()).isEqualTo("ringkernel.backend");
				assertThat(ex.value()).isEqualTo("cuda");
				assertThat(ex.reason()).contains("no driver was found");
				assertThat(ex.remedy()).isEqualTo("Install one.");
			});
	}

	@Test
	void aBackendWithoutItsModuleIsRefused() {
		Planner planner = new Planner(List.of(new CpuBackendProvider()));
		assertThatExceptionOfType(InvalidConfigurationException.class)
			.isThrownBy(() -> planner.choose(new PlanRequest(BackendKind.CUDA, null, null)))
			.withMessageContaining("class path")
			.withMessageContaining("ringkernel-cuda");
	}

	@ParameterizedTest
	@EnumSource(value = Transport.class, names = "DIRECT", mode = EnumSource.Mode.EXCLUDE)
	void aTransportThatNobodyHasIsRefusedByName(Transport transport) {
		assertThatExceptionOfType(InvalidConfigurationException.class)
			.isThrownBy(() -> planner(NO_DEVICE).choose(new PlanRequest(null, null, transport)))
			.satisfies((ex) -> {
				assertThat(ex.setting()).isEqualTo("ringkernel.transport");
				assertThat(ex.value()).isEqualTo(ConfiguredName.of(transport));
				assertThat(ex.reason()).contains("not 'cuda'").contains("not 'cpu'");
				assertThat(ex.remedy()).contains("Install one.").contains("ringkernel.transport to auto");
			});
	}

	@Test
	void theSameAdviceOfTwoBackendsIsGivenOnce() {
		Planner planner = planner(new PlanOffer.Refused("it is bridged", "Set ringkernel.transport to auto."));
		assertThatExceptionOfType(InvalidConfigurationException.class)
			.isThrownBy(() -> planner.choose(new PlanRequest(null, null, Transport.MAPPED)))
			.satisfies((ex) -> assertThat(ex.remedy()).isEqualTo("Set ringkernel.transport to auto."));
	}

}
