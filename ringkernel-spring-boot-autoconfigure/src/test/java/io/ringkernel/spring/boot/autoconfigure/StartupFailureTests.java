package io.ringkernel.spring.boot.autoconfigure;

import java.util.List;

import io.ringkernel.RingKernelClient;
import io.ringkernel.RingKernelHandler;
import io.ringkernel.backend.Backend;
import io.ringkernel.backend.PlayedProvider;
import io.ringkernel.cpu.CpuBackendProvider;
import io.ringkernel.exception.KernelLaunchException;
import io.ringkernel.platform.PlanRequest;
import io.ringkernel.runtime.Kernel;
import io.ringkernel.runtime.RingKernelRuntime;
import io.ringkernel.spring.InvalidKernels.AnotherTwice;
import io.ringkernel.spring.InvalidKernels.InvalidId;
import io.ringkernel.spring.InvalidKernels.NoHandler;
import io.ringkernel.spring.InvalidKernels.Unbounded;
import io.ringkernel.spring.InvalidKernels.Wildcard;
import io.ringkernel.spring.Kernels.Number;
import io.ringkernel.spring.Kernels.Text;
import io.ringkernel.spring.Kernels.Twice;
import io.ringkernel.spring.Kernels.TwiceAndRepeat;
import io.ringkernel.spring.RingKernel;
import io.ringkernel.spring.RingKernelLifecycle;
import io.ringkernel.spring.exchange.RingKernelExchange;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatException;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.ArgumentMatchers.anyInt;
import static org.mockito.BDDMockito.given;
import static org.mockito.Mockito.mock;

/**
 * Tests for what an application that does not start says, and why.
 */
@ExtendWith(OutputCaptureExtension.class)
@Tag("every-platform")
class StartupFailureTests {

	@Test
	void twoKernelsWithOneId(CapturedOutput output) {
		assertThatStartFails(List.of(Twice.class, AnotherTwice.class));
		assertThat(analysis(output)).contains("Two beans define a ring kernel with the id 'twice': 'kernels.Twice' (")
			.contains("and 'another' (" + AnotherTwice.class.getName() + ".another())")
			.contains("Change the id in one of the two @RingKernel annotations, or remove the bean.");
	}

	@Test
	void beanThatIsNoHandler(CapturedOutput output) {
		assertThatStartFails(List.of(NoHandler.class));
		assertThat(analysis(output))
			.contains("cannot be the ring kernel 'none': its type " + NoHandler.class.getName()
					+ " is no RingKernelHandler, so there is nothing to run.")
			.contains("Implement io.ringkernel.RingKernelHandler, or remove @RingKernel.");
	}

	@Test
	void handlerWithoutTypeArguments(CapturedOutput output) {
		assertThatStartFails(List.of(Wildcard.class));
		assertThat(analysis(output)).contains("The bean 'wildcard' (", "does not say which record is the response.")
			.contains("Declare both type arguments, as in RingKernelHandler<AddRequest, AddResponse>");
	}

	@Test
	void recordThatCannotBeLaidOut(CapturedOutput output) {
		assertThatStartFails(List.of(Unbounded.class));
		assertThat(analysis(output)).contains("The bean 'unbounded' (" + Unbounded.class.getName() + ".unbounded())")
			.contains("Message cannot be laid out: Message.text is a String without a bound: write @Capacity(n) String")
			.contains("Change the record Message");
	}

	@Test
	void idThatIsNoId(CapturedOutput output) {
		assertThatStartFails(List.of(InvalidId.class));
		assertThat(analysis(output))
			.contains("The bean 'handler' (", "cannot be the ring kernel 'Vector_Add'", "is no valid id.")
			.contains("Use lower-case letters and digits");
	}

	@Test
	void configuredKernelThatDoesNotExist(CapturedOutput output) {
		assertThatStartFails(List.of(TwiceAndRepeat.class), "ringkernel.kernels.repeat-test.workers=1");
		assertThat(analysis(output))
			.contains("'ringkernel.kernels.repeat-test' configures a ring kernel that does not exist. It is set in ",
					"The ring kernels are 'twice', 'repeat-text'.")
			.contains("Did you mean 'ringkernel.kernels.repeat-text'?");
	}

	@Test
	void configuredKernelWhereThereAreNone(CapturedOutput output) {
		assertThatStartFails(List.of(NoKernel.class), "ringkernel.kernels.twice.workers=1");
		assertThat(analysis(output))
			.contains("'ringkernel.kernels.twice' configures a ring kernel that does not exist.")
			.contains("no bean is annotated with @RingKernel");
	}

	@Test
	void valueOutOfRange(CapturedOutput output) {
		assertThatStartFails(List.of(Twice.class), "ringkernel.kernels.twice.workers=2000");
		assertThat(analysis(output))
			.contains("'ringkernel.kernels.twice.workers' has the value '2000', which is out of range.")
			.contains("It is set in ")
			.contains("Set it to a value from 1 to 1024.");
	}

	@Test
	void ringThatIsTooSmall(CapturedOutput output) {
		assertThatStartFails(List.of(Twice.class), "ringkernel.kernels.twice.ring-memory=1B");
		assertThat(analysis(output))
			.contains("'ringkernel.kernels.twice.ring-memory' has the value '1B', which holds fewer than")
			.contains("Set it to at least");
	}

	@Test
	void backendThatIsNotThere(CapturedOutput output) {
		assertThatStartFails(List.of(Twice.class, CpuOnly.class), "ringkernel.backend=cuda");
		assertThat(analysis(output))
			.contains("'ringkernel.backend' has the value 'cuda', which cannot be honoured: "
					+ "its module is not on the class path.")
			.contains("Add the dependency io.ringkernel:ringkernel-cuda, or set ringkernel.backend to auto.");
	}

	@Test
	void transportThatNeedsADevice(CapturedOutput output) {
		assertThatStartFails(List.of(Twice.class), "ringkernel.backend=cpu", "ringkernel.transport=mapped");
		assertThat(analysis(output)).contains("cannot be honoured")
			.contains("transport 'mapped' needs a device")
			.contains("Set ringkernel.transport to auto.");
	}

	@Test
	void valueThatIsNoBackend(CapturedOutput output) {
		assertThatStartFails(List.of(Twice.class), "ringkernel.backend=gpu");
		assertThat(analysis(output)).contains(
				"'ringkernel.backend' has the value 'gpu', which is not one of auto, cuda, cpu. It is set in ",
				"Set it to one of auto, cuda, cpu.");
	}

	@Test
	void kernelThatCannotBeLaunched(CapturedOutput output) {
		assertThatStartFails(List.of(Twice.class, Unlaunchable.class));
		assertThat(analysis(output)).contains("Ring kernel 'twice' cannot be launched: the device has no memory left.")
			.contains("To start without a device, set ringkernel.backend to cpu");
	}

	@Test
	void clientOfAKernelThatDoesNotExist(CapturedOutput output) {
		assertThatStartFails(List.of(Twice.class, Caller.class));
		assertThat(analysis(output))
			.contains("Parameter 0 of constructor in " + Caller.class.getName()
					+ " requires a bean of type io.ringkernel.RingKernelClient<io.ringkernel.spring.Kernels$Number, "
					+ "io.ringkernel.spring.Kernels$Text>. There is none.")
			.contains("The beans of type RingKernelClient are 'twice' (")
			.contains("Annotate a RingKernelHandler bean of these types with @RingKernel");
	}

	@Test
	void clientOfTwoKernelsWithEqualTypes(CapturedOutput output) {
		assertThatStartFails(List.of(Twice.class, Thrice.class, CallerOfOne.class));
		assertThat(analysis(output))
			.contains("Parameter 0 of constructor in " + CallerOfOne.class.getName() + " requires one bean of type",
					"There are 2: ")
			.contains("'twice' (io.ringkernel.RingKernelClient<", ">, of the @RingKernel bean 'kernels.Twice' (")
			.contains("'three-times' (", "Thrice.thrice())")
			.contains("as in @Qualifier(\"twice\")", "@RingKernel(primary = true)", "@Primary")
			.doesNotContain("unknown location", "-parameters");
	}

	@Test
	void kernelOfTwoWithEqualTypes(CapturedOutput output) {
		assertThatStartFails(List.of(Twice.class, Thrice.class, OwnerOfOne.class));
		assertThat(analysis(output)).contains("requires one bean of type io.ringkernel.runtime.Kernel<")
			.contains("as in @Qualifier(\"twice\")");
	}

	@Test
	void exchangeThatIsNotImported(CapturedOutput output) {
		assertThatStartFails(List.of(Twice.class, CallerOfAnExchange.class));
		assertThat(analysis(output))
			.contains("requires a bean of the interface " + NotImported.class.getName()
					+ ", which calls ring kernels but is not imported.")
			.contains("@ImportRingKernelExchanges", "types = NotImported.class");
	}

	@Test
	void callBeforeTheKernelsHaveStarted(CapturedOutput output) {
		assertThatStartFails(List.of(Twice.class, TooEarly.class));
		assertThat(analysis(output))
			.contains("The bean '", "TooEarly' called ring kernel 'twice' while it was created.")
			.contains("Ring kernel 'twice' is CREATED: kernels start after all singleton beans have been created.")
			.contains("ApplicationRunner", "ApplicationReadyEvent",
					"SmartLifecycle bean with a phase above " + RingKernelLifecycle.PHASE);
	}

	@Test
	void callOfAKernelThatWasTerminated(CapturedOutput output) {
		assertThatStartFails(List.of(Twice.class, TooLate.class));
		assertThat(analysis(output)).contains("Ring kernel 'twice' takes no requests: it is TERMINATED, not ACTIVE.")
			.contains("Relaunch or activate the kernel before it is called");
	}

	@Test
	void kernelWhereKernelsAreDisabled(CapturedOutput output) {
		assertThatStartFails(List.of(Twice.class, OwnerOfOne.class), "ringkernel.enabled=false");
		assertThat(analysis(output)).contains("requires a bean of type io.ringkernel.runtime.Kernel<")
			.contains("There is none, because 'ringkernel.enabled' is false.")
			.contains("Set ringkernel.enabled to true, or inject an ObjectProvider.");
	}

	private static void assertThatStartFails(List<Class<?>> sources, String... properties) {
		assertThatException().isThrownBy(
				() -> new SpringApplicationBuilder(sources.toArray(Class<?>[]::new)).sources(AutoConfigured.class)
					.web(WebApplicationType.NONE)
					.properties(properties)
					.run());
	}

	private static String analysis(CapturedOutput output) {
		String all = output.toString();
		String headline = "APPLICATION FAILED TO START";
		assertThat(all).contains(headline);
		return all.substring(all.lastIndexOf(headline));
	}

	@Configuration(proxyBeanMethods = false)
	@ImportAutoConfiguration({ RingKernelAutoConfiguration.class, DisabledRingKernelAutoConfiguration.class,
			ConfiguredKernelsCheckAutoConfiguration.class })
	static class AutoConfigured {

	}

	static class Caller {

		Caller(RingKernelClient<Number, Text> client) {
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class Thrice {

		@Bean
		@RingKernel(id = "three-times")
		RingKernelHandler<Number, Number> thrice() {
			return (request) -> new Number(3 * request.value());
		}

	}

	static class CallerOfOne {

		CallerOfOne(RingKernelClient<Number, Number> client) {
		}

	}

	static class OwnerOfOne {

		OwnerOfOne(Kernel<Number, Number> kernel) {
		}

	}

	interface NotImported {

		@RingKernelExchange("twice")
		Number twice(Number number);

	}

	static class CallerOfAnExchange {

		CallerOfAnExchange(NotImported exchange) {
		}

	}

	static class TooEarly {

		TooEarly(RingKernelClient<Number, Number> client) {
			client.call(new Number(1));
		}

	}

	static class TooLate {

		TooLate(Kernel<Number, Number> kernel) {
			kernel.terminate();
			kernel.client().call(new Number(1));
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class NoKernel {

	}

	@Configuration(proxyBeanMethods = false)
	static class CpuOnly {

		@Bean
		RingKernelRuntime runtime(RingKernelProperties properties) {
			return RingKernelRuntime.open(properties.planRequest(), List.of(new CpuBackendProvider()));
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class Unlaunchable {

		@Bean
		RingKernelRuntime runtime() {
			Backend backend = mock();
			given(backend.allocate(any(), anyInt()))
				.willThrow(new KernelLaunchException("twice", "the device has no memory left.", null));
			return RingKernelRuntime.open(PlanRequest.AUTO, List.of(PlayedProvider.cpu(backend)));
		}

	}

}
