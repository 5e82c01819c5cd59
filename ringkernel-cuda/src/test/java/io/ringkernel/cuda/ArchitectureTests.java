package io.ringkernel.cuda;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

@AnalyzeClasses(packages = "io.ringkernel.cuda", importOptions = ImportOption.DoNotIncludeTests.class)
class ArchitectureTests {

	@ArchTest
	static final ArchRule onePackageTouchesJCuda = noClasses().that()
		.resideOutsideOfPackage("io.ringkernel.cuda.driver")
		.should()
		.dependOnClassesThat()
		.resideInAPackage("jcuda..");

	@ArchTest
	static final ArchRule theDriverKnowsNothingOfTheBackend = noClasses().that()
		.resideInAPackage("io.ringkernel.cuda.driver")
		.should()
		.dependOnClassesThat()
		.resideInAnyPackage("io.ringkernel.cuda", "io.ringkernel.backend..", "io.ringkernel.runtime..");

	@ArchTest
	static final ArchRule packagesHaveNoCycles = slices().matching("io.ringkernel.cuda.(*)..")
		.should()
		.beFreeOfCycles();

}
