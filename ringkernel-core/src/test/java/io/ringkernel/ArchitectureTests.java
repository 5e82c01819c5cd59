package io.ringkernel;

import java.util.Map;
import java.util.stream.Collectors;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaPackage;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import com.tngtech.archunit.library.dependencies.SliceAssignment;
import com.tngtech.archunit.library.dependencies.SliceIdentifier;
import org.jspecify.annotations.NullMarked;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.Architectures.layeredArchitecture;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

@AnalyzeClasses(packages = "io.ringkernel", importOptions = ImportOption.DoNotIncludeTests.class)
class ArchitectureTests {

	@ArchTest
	static final ArchRule packagesDependOnThoseBelow = layeredArchitecture().consideringOnlyDependenciesInLayers()
		.layer("api")
		.definedBy("io.ringkernel", "io.ringkernel.exception")
		.layer("buffer")
		.definedBy("io.ringkernel.message.buffer")
		.layer("message")
		.definedBy("io.ringkernel.message")
		.layer("inplace")
		.definedBy("io.ringkernel.message.inplace")
		.layer("ring")
		.definedBy("io.ringkernel.ring")
		.layer("order")
		.definedBy("io.ringkernel.ring.order")
		.layer("control")
		.definedBy("io.ringkernel.control")
		.layer("platform")
		.definedBy("io.ringkernel.platform")
		.layer("state")
		.definedBy("io.ringkernel.state")
		.layer("backend")
		.definedBy("io.ringkernel.backend")
		.layer("cpu")
		.definedBy("io.ringkernel.cpu")
		.layer("observe")
		.definedBy("io.ringkernel.observe")
		.layer("encoding")
		.definedBy("io.ringkernel.session.encoding")
		.layer("serving")
		.definedBy("io.ringkernel.session.serving")
		.layer("session")
		.definedBy("io.ringkernel.session")
		.layer("routing")
		.definedBy("io.ringkernel.routing")
		.layer("runtime")
		.definedBy("io.ringkernel.runtime")
		.whereLayer("api")
		.mayNotAccessAnyLayer()
		.whereLayer("buffer")
		.mayNotAccessAnyLayer()
		.whereLayer("message")
		.mayOnlyAccessLayers("api", "buffer")
		.whereLayer("inplace")
		.mayOnlyAccessLayers("api", "buffer", "message")
		.whereLayer("ring")
		.mayOnlyAccessLayers("api", "buffer", "message", "inplace")
		.whereLayer("order")
		.mayOnlyAccessLayers("ring")
		.whereLayer("control")
		.mayOnlyAccessLayers("ring", "buffer")
		.whereLayer("platform")
		.mayOnlyAccessLayers("api")
		.whereLayer("state")
		.mayOnlyAccessLayers("api", "buffer", "message")
		.whereLayer("backend")
		.mayOnlyAccessLayers("api", "buffer", "message", "ring", "order", "control", "platform", "state")
		.whereLayer("cpu")
		.mayOnlyAccessLayers("api", "message", "ring", "order", "control", "platform", "state", "backend")
		.whereLayer("observe")
		.mayOnlyAccessLayers("api", "message", "ring", "control", "platform", "backend")
		.whereLayer("encoding")
		.mayOnlyAccessLayers("api", "buffer", "message", "inplace", "ring")
		.whereLayer("serving")
		.mayOnlyAccessLayers("api", "ring", "state", "backend", "observe")
		.whereLayer("session")
		.mayOnlyAccessLayers("api", "buffer", "message", "inplace", "ring", "order", "control", "platform", "state",
				"backend", "observe", "encoding", "serving")
		.whereLayer("routing")
		.mayOnlyAccessLayers("api")
		.whereLayer("runtime")
		.mayOnlyAccessLayers("api", "ring", "control", "platform", "state", "backend", "observe", "serving", "session",
				"routing");

	@ArchTest
	static final ArchRule packagesHaveNoCycles = slices().assignedFrom(packages()).should().beFreeOfCycles();

	@ArchTest
	static void noPackageIsLargerThanARoom(JavaClasses classes) {
		Map<String, Long> types = classes.stream()
			.filter((type) -> type.isTopLevelClass() && isNoPackageInfo().test(type))
			.collect(Collectors.groupingBy(JavaClass::getPackageName, Collectors.counting()));
		assertThat(types).allSatisfy((room, count) -> assertThat(count).as(room).isLessThanOrEqualTo(30));
	}

	@ArchTest
	static final ArchRule nothingButTheJdkAndFourLibrariesIsUsed = classes().should()
		.onlyDependOnClassesThat()
		.resideInAnyPackage("io.ringkernel..", "java..", "org.slf4j..", "org.jspecify..", "org.HdrHistogram..",
				"org.objectweb.asm..");

	@ArchTest
	static final ArchRule packagesAreNullMarked = classes().that(isNoPackageInfo())
		.should(resideInANullMarkedPackage());

	@ArchTest
	static final ArchRule namesAreTheFieldsOwn = noClasses().should()
		.haveNameMatching(".*(Manager|Helper|Utils?|Impl)");

	@ArchTest
	static final ArchRule nobodyJoinsAThreadWithoutATimeout = noClasses()
		// It is a future, whose join ends at the latest when its request times out.
		.that()
		.doNotHaveFullyQualifiedName("io.ringkernel.session.FutureReply")
		.should()
		.callMethod(Thread.class, "join")
		.orShould()
		.callMethod(java.util.concurrent.CountDownLatch.class, "await")
		.orShould()
		.callMethod(java.util.concurrent.locks.Condition.class, "await")
		.orShould()
		.callMethod(java.util.concurrent.CompletableFuture.class, "join")
		.orShould()
		.callMethod(java.util.concurrent.BlockingQueue.class, "take")
		.orShould()
		.callMethod(Object.class, "wait");

	private static SliceAssignment packages() {
		return new SliceAssignment() {

			@Override
			public SliceIdentifier getIdentifierOf(JavaClass javaClass) {
				return SliceIdentifier.of(javaClass.getPackageName());
			}

			@Override
			public String getDescription() {
				return "packages";
			}

		};
	}

	private static DescribedPredicate<JavaClass> isNoPackageInfo() {
		return DescribedPredicate.describe("are no package-info",
				(javaClass) -> !javaClass.getSimpleName().equals("package-info"));
	}

	private static ArchCondition<JavaClass> resideInANullMarkedPackage() {
		return new ArchCondition<>("reside in a package that is @NullMarked") {

			@Override
			public void check(JavaClass item, ConditionEvents events) {
				JavaPackage itsPackage = item.getPackage();
				boolean marked = itsPackage.tryGetPackageInfo().isPresent()
						&& itsPackage.isAnnotatedWith(NullMarked.class);
				events.add(new SimpleConditionEvent(item, marked, itsPackage.getName() + " of " + item.getName()));
			}

		};
	}

}
