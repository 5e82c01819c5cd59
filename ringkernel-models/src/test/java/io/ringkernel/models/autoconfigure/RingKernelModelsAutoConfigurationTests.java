package io.ringkernel.models.autoconfigure;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

import io.ringkernel.backend.Replay;
import io.ringkernel.exception.InvalidMessageException;
import io.ringkernel.models.TrainedModel;
import io.ringkernel.models.TreeEnsemble;
import io.ringkernel.models.forest.InvalidModelException;
import io.ringkernel.runtime.Kernel;
import io.ringkernel.spring.boot.autoconfigure.RingKernelAutoConfiguration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import org.springframework.boot.actuate.endpoint.web.EndpointMediaTypes;
import org.springframework.boot.actuate.endpoint.web.ExposableWebEndpoint;
import org.springframework.boot.actuate.endpoint.web.WebEndpointHttpMethod;
import org.springframework.boot.actuate.endpoint.web.WebEndpointResponse;
import org.springframework.boot.actuate.endpoint.web.WebOperation;
import org.springframework.boot.actuate.endpoint.web.annotation.WebEndpointDiscoverer;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

import static io.ringkernel.test.RingKernelAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for {@link RingKernelModelsAutoConfiguration} and
 * {@link ModelsEndpointAutoConfiguration}.
 */
class RingKernelModelsAutoConfigurationTests {

	private static final TrainedModel FRAUD = TrainedModel.train("binary:logistic", 6, 12, 4, Map.of());

	private static final TrainedModel NEXT = TrainedModel.train("binary:logistic", 6, 9, 4, Map.of());

	private static final TrainedModel PRICE = TrainedModel.train("reg:squarederror", 4, 5, 3, Map.of());

	@TempDir
	private Path directory;

	private Path fraud;

	private ApplicationContextRunner contextRunner;

	@BeforeEach
	void write() throws IOException {
		this.fraud = Files.write(this.directory.resolve("fraud.json"), FRAUD.file("json"));
		Path price = Files.write(this.directory.resolve("price.json"), PRICE.file("json"));
		this.contextRunner = new ApplicationContextRunner()
			.withConfiguration(AutoConfigurations.of(RingKernelAutoConfiguration.class,
					RingKernelModelsAutoConfiguration.class, ModelsEndpointAutoConfiguration.class))
			.withPropertyValues("ringkernel.backend=cpu", "ringkernel.defaults.workers=2",
					"management.endpoints.web.exposure.include=ringkernelmodels",
					"ringkernel.models.fraud.location=" + this.fraud.toUri(),
					"ringkernel.models.house-price.location=" + price.toUri());
	}

	record Checkout(TreeEnsemble fraud) {
	}

	@Test
	void eachModelIsABeanByItsName() {
		this.contextRunner.withBean(Checkout.class).run((context) -> {
			assertThat(context.getBeansOfType(TreeEnsemble.class)).containsOnlyKeys("fraud", "house-price");
			float[] rows = FRAUD.rows(50, 4);
			assertThat(context.getBean(Checkout.class).fraud().margins(rows)).isEqualTo(FRAUD.margins(rows));
		});
	}

	@Test
	void eachModelHasAKernel() {
		this.contextRunner.withPropertyValues("ringkernel.kernels.model-fraud.workers=3").run((context) -> {
			assertThat(context.getBeansOfType(Kernel.class)).containsOnlyKeys("model-fraud.kernel",
					"model-house-price.kernel");
			TreeEnsemble ensemble = context.getBean("fraud", TreeEnsemble.class);
			assertThat(ensemble.kernel()).compilesForDevice();
			assertThat(ensemble.kernel().spec().options()).satisfies((options) -> {
				assertThat(options.workers()).isEqualTo(3);
				assertThat(options.threadsPerWorker()).isEqualTo(512);
				assertThat(options.replay()).isEqualTo(Replay.IDEMPOTENT);
			});
		});
	}

	@Test
	void replicasAreLoadedAlike() {
		this.contextRunner.withPropertyValues("ringkernel.kernels.model-fraud.replicas=2").run((context) -> {
			TreeEnsemble ensemble = context.getBean("fraud", TreeEnsemble.class);
			Files.write(this.fraud, NEXT.file("json"));
			context.getBean(ModelsEndpoint.class).act("fraud", ModelsEndpoint.RELOAD);
			float[] rows = FRAUD.rows(50, 4);
			assertThat(ensemble.kernel().replicas()).hasSize(2)
				.allSatisfy((replica) -> assertThat(ensemble.margins(rows)).isEqualTo(NEXT.margins(rows)));
		});
	}

	@Test
	void endpointShowsAndReloads() {
		this.contextRunner.run((context) -> {
			ModelsEndpoint endpoint = context.getBean(ModelsEndpoint.class);
			assertThat(endpoint.models()).containsOnlyKeys("fraud", "house-price");
			assertThat(endpoint.model("fraud")).satisfies((status) -> {
				assertThat(status.format()).isEqualTo("XGBoost 2.1.4");
				assertThat(status.trees()).isEqualTo(12);
				assertThat(status.features()).isEqualTo(6);
			});
			assertThat(endpoint.model("unknown")).isNull();
			Files.write(this.fraud, NEXT.file("json"));
			ModelsEndpointWebExtension web = context.getBean(ModelsEndpointWebExtension.class);
			assertThat(web.act("fraud", null).getStatus()).isEqualTo(WebEndpointResponse.STATUS_BAD_REQUEST);
			assertThat(web.act("fraud", ModelsEndpoint.RELOAD).getStatus()).isEqualTo(WebEndpointResponse.STATUS_OK);
			assertThat(endpoint.model("fraud").trees()).isEqualTo(9);
			assertThat(web.act("unknown", ModelsEndpoint.RELOAD).getStatus())
				.isEqualTo(WebEndpointResponse.STATUS_NOT_FOUND);
			Files.writeString(this.fraud, "{");
			WebEndpointResponse<Object> refused = web.act("fraud", ModelsEndpoint.RELOAD);
			assertThat(refused.getStatus()).isEqualTo(422);
			assertThat(refused.getBody()).asString().contains("fraud.json").contains("truncated");
			float[] rows = FRAUD.rows(50, 4);
			assertThat(context.getBean("fraud", TreeEnsemble.class).margins(rows)).isEqualTo(NEXT.margins(rows));
		});
	}

	/** So no form of another site can reload a model. */
	@Test
	void endpointTakesActionsAsJsonAlone() {
		this.contextRunner.run((context) -> {
			WebEndpointDiscoverer endpoints = new WebEndpointDiscoverer(context, (parameter, value) -> value,
					EndpointMediaTypes.DEFAULT, List.of(), List.of(), List.of(), List.of(), List.of());
			assertThat(endpoints.getEndpoints()).flatExtracting(ExposableWebEndpoint::getOperations)
				.map(WebOperation::getRequestPredicate)
				.filteredOn((predicate) -> predicate.getHttpMethod().equals(WebEndpointHttpMethod.POST))
				.singleElement()
				.satisfies((predicate) -> assertThat(predicate.getConsumes())
					.containsExactlyElementsOf(EndpointMediaTypes.DEFAULT.getConsumed()));
		});
	}

	@Test
	void nothingIsThereWithoutModelsOrKernels() {
		new ApplicationContextRunner()
			.withConfiguration(
					AutoConfigurations.of(RingKernelAutoConfiguration.class, RingKernelModelsAutoConfiguration.class))
			.withPropertyValues("ringkernel.backend=cpu")
			.run((context) -> assertThat(context).hasNotFailed().doesNotHaveBean(TreeEnsemble.class));
		this.contextRunner.withPropertyValues("ringkernel.enabled=false")
			.run((context) -> assertThat(context).hasNotFailed().doesNotHaveBean(TreeEnsemble.class));
	}

	@Test
	void missingFeaturesAreRefusedIfConfigured() {
		this.contextRunner.withPropertyValues("ringkernel.models.fraud.refuse-missing=true")
			.run((context) -> assertThatExceptionOfType(InvalidMessageException.class)
				.isThrownBy(() -> context.getBean("fraud", TreeEnsemble.class).score(1, 2, 3, 4, 5, Float.NaN))
				.withMessageContaining("feature 5 of row 0"));
	}

	@ParameterizedTest
	@CsvSource({ "ringkernel.models.fraud.capacity, 1B, ringkernel.models.fraud.capacity",
			"ringkernel.models.fraud.capacity, 1GB, 268435456", "ringkernel.models.Fraud_x.location, a, lower-case",
			"ringkernel.models.other.refuse-missing, true, ringkernel.models.other.location" })
	void refusesWhatCannotBe(String property, String value, String expected) {
		this.contextRunner.withPropertyValues(property + "=" + value)
			.run((context) -> assertThat(context).getFailure().hasStackTraceContaining(expected));
	}

	@Test
	void aModelThatIsRefusedFailsStartUpWithItsFile() {
		this.contextRunner.withPropertyValues("ringkernel.models.fraud.location=file:/nowhere/fraud.json")
			.run((context) -> assertThat(context).getFailure()
				.hasRootCauseInstanceOf(IOException.class)
				.hasStackTraceContaining(InvalidModelException.class.getName())
				.hasStackTraceContaining("/nowhere/fraud.json"));
	}

}
