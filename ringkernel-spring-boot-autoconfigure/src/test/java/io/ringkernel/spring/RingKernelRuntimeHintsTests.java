package io.ringkernel.spring;

import java.util.Optional;

import io.ringkernel.Capacity;
import io.ringkernel.Length;
import io.ringkernel.RingKernelHandler;
import io.ringkernel.spring.boot.autoconfigure.RingKernelAutoConfiguration;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.aot.hint.MemberCategory;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.TypeReference;
import org.springframework.aot.hint.predicate.ReflectionHintsPredicates;
import org.springframework.aot.hint.predicate.RuntimeHintsPredicates;
import org.springframework.aot.test.generate.TestGenerationContext;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.util.TestPropertyValues;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.aot.ApplicationContextAotGenerator;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for what a native image is told of ring kernels.
 */
class RingKernelRuntimeHintsTests {

	private static final ReflectionHintsPredicates REFLECTION = RuntimeHintsPredicates.reflection();

	private static final RuntimeHints GENERAL = new RuntimeHints();

	private static RuntimeHints generated;

	@BeforeAll
	static void process() {
		TestGenerationContext generation = new TestGenerationContext();
		try (AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext()) {
			TestPropertyValues
				.of("ringkernel.kernels.set-by-property.image=classpath:kernels/${which}.ptx", "which=configured",
						"ringkernel.kernels.set-by-property.workers=${known.at.run.time}",
						"ringkernel.defaults.image=classpath:kernels/common.ptx")
				.applyTo(context);
			context.register(SetByProperty.class, Search.class, Plain.class, RingKernelAutoConfiguration.class);
			new ApplicationContextAotGenerator().processAheadOfTime(context, generation);
		}
		generated = generation.getRuntimeHints();
		new RingKernelRuntimeHints().registerHints(GENERAL, RingKernelRuntimeHintsTests.class.getClassLoader());
	}

	@ParameterizedTest
	@ValueSource(classes = { Query.class, Answer.class, Point.class, Nested.class, Maybe.class })
	void recordsAreConstructedAndRead(Class<?> message) {
		assertThat(REFLECTION.onType(message)
			.withMemberCategories(MemberCategory.INVOKE_DECLARED_CONSTRUCTORS, MemberCategory.INVOKE_DECLARED_METHODS))
			.accepts(generated);
	}

	@Test
	void arraysOfRecordsAreMade() {
		assertThat(REFLECTION.onType(Point[].class)).accepts(generated);
	}

	@Test
	void constantsOfEnumsAreListed() throws Exception {
		assertThat(REFLECTION.onMethodInvocation(Kind.class.getMethod("values"))).accepts(generated);
	}

	@Test
	void imagesAreResources() {
		assertThat(RuntimeHintsPredicates.resource().forResource("kernels/search.ptx")).accepts(generated);
		assertThat(RuntimeHintsPredicates.resource().forResource("kernels/search.0123456789abcdef.fatbin"))
			.accepts(generated);
	}

	@ParameterizedTest
	@ValueSource(
			strings = { "kernels/configured.ptx", "kernels/configured.0123456789abcdef.fatbin", "kernels/common.ptx" })
	void imagesThatConfigurationNamesAreResources(String resource) {
		assertThat(RuntimeHintsPredicates.resource().forResource(resource)).accepts(generated);
	}

	@Test
	void anImageThatConfigurationReplacesIsNoResource() {
		assertThat(RuntimeHintsPredicates.resource().forResource("kernels/declared.ptx")).rejects(generated);
	}

	@Test
	void generalHintsComeWithTheAutoConfiguration() {
		assertThat(RuntimeHintsPredicates.resource()
			.forResource("META-INF/services/io.ringkernel.backend.BackendProvider")).accepts(generated);
		assertThat(RuntimeHintsPredicates.resource().forResource("io/ringkernel/cuda/kernels/probe.ptx"))
			.accepts(generated);
	}

	@Test
	void nativeLibraryFindsTheClassesOfJCuda() {
		assertThat(GENERAL.jni().getTypeHint(TypeReference.of("jcuda.driver.CUcontext")).getMemberCategories())
			.contains(MemberCategory.INVOKE_DECLARED_CONSTRUCTORS, MemberCategory.ACCESS_DECLARED_FIELDS);
		assertThat(GENERAL.jni().getTypeHint(TypeReference.of("jcuda.NativePointerObject"))).isNotNull();
	}

	@Test
	void nativeLibraryIsAResource() {
		assertThat(RuntimeHintsPredicates.resource().forResource("lib/libJCudaDriver-12.6.0-linux-x86_64.so"))
			.accepts(GENERAL);
	}

	@Test
	void nothingIsSaidOfJCudaWhereItIsMissing() {
		RuntimeHints without = new RuntimeHints();
		new RingKernelRuntimeHints().registerHints(without, new FilteredClassLoader("jcuda"));
		assertThat(without.jni().typeHints()).isEmpty();
		assertThat(RuntimeHintsPredicates.resource().forResource("lib/libJCudaDriver-12.6.0-linux-x86_64.so"))
			.rejects(without);
	}

	record Query(Kind kind, @Length(2) Point[] points, Nested nested) {
	}

	record Answer(Optional<Maybe> maybe, @Capacity(4) float[] distances) {
	}

	record Point(float x, float y) {
	}

	record Nested(int value) {
	}

	record Maybe(int value) {
	}

	enum Kind {

		NEAR, FAR

	}

	@RingKernel(id = "search", image = "classpath:/kernels/search.ptx#entry")
	static class Search implements RingKernelHandler<Query, Answer> {

		@Override
		public Answer handle(Query request) {
			return new Answer(Optional.empty(), new float[0]);
		}

	}

	@RingKernel(id = "set-by-property", image = "classpath:kernels/declared.ptx")
	static class SetByProperty extends Plain {

	}

	@RingKernel(id = "plain")
	static class Plain implements RingKernelHandler<Nested, Nested> {

		@Override
		public Nested handle(Nested request) {
			return request;
		}

	}

}
