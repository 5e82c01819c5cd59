package io.ringkernel.test.ptx;

import java.util.Map;
import java.util.stream.Collectors;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.assertj.core.api.Assertions.assertThat;

@AnalyzeClasses(packages = "io.ringkernel.test.ptx", importOptions = ImportOption.DoNotIncludeTests.class)
class ArchitectureTests {

	@ArchTest
	static final ArchRule theTextKnowsNothingOfTheMachine = noClasses().that()
		.resideInAPackage("io.ringkernel.test.ptx.text")
		.should()
		.dependOnClassesThat()
		.resideInAnyPackage("io.ringkernel.test.ptx.arithmetic", "io.ringkernel.test.ptx.code",
				"io.ringkernel.test.ptx.machine", "io.ringkernel.test.ptx");

	@ArchTest
	static final ArchRule theArithmeticKnowsTheTextAlone = noClasses().that()
		.resideInAPackage("io.ringkernel.test.ptx.arithmetic")
		.should()
		.dependOnClassesThat()
		.resideInAnyPackage("io.ringkernel.test.ptx.code", "io.ringkernel.test.ptx.machine", "io.ringkernel.test.ptx");

	@ArchTest
	static final ArchRule theMachineKnowsNoInstruction = noClasses().that()
		.resideInAPackage("io.ringkernel.test.ptx.machine")
		.should()
		.dependOnClassesThat()
		.resideInAnyPackage("io.ringkernel.test.ptx.arithmetic", "io.ringkernel.test.ptx.code",
				"io.ringkernel.test.ptx.text", "io.ringkernel.test.ptx");

	@ArchTest
	static final ArchRule onlyTheDeviceKnowsTheProduct = noClasses().that()
		.resideInAnyPackage("io.ringkernel.test.ptx.text", "io.ringkernel.test.ptx.arithmetic",
				"io.ringkernel.test.ptx.code", "io.ringkernel.test.ptx.machine")
		.should()
		.dependOnClassesThat()
		.resideInAnyPackage("io.ringkernel.cuda..", "io.ringkernel.backend..", "io.ringkernel.runtime..");

	@ArchTest
	static void noPackageIsLargerThanARoom(JavaClasses classes) {
		Map<String, Long> types = classes.stream()
			.filter((type) -> type.isTopLevelClass() && !type.getSimpleName().equals("package-info"))
			.collect(Collectors.groupingBy(JavaClass::getPackageName, Collectors.counting()));
		assertThat(types).allSatisfy((room, count) -> assertThat(count).as(room).isLessThanOrEqualTo(30));
	}

}
