package io.ringkernel.compiler;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.library.Architectures.layeredArchitecture;

@AnalyzeClasses(packages = "io.ringkernel.compiler", importOptions = ImportOption.DoNotIncludeTests.class)
class ArchitectureTests {

	@ArchTest
	static final ArchRule stagesKnowTheCodeBetweenThemAlone = layeredArchitecture()
		.consideringOnlyDependenciesInLayers()
		.layer("compiler")
		.definedBy("io.ringkernel.compiler")
		.layer("bytecode")
		.definedBy("io.ringkernel.compiler.bytecode")
		.layer("ptx")
		.definedBy("io.ringkernel.compiler.ptx")
		.layer("strict")
		.definedBy("io.ringkernel.compiler.strict")
		.layer("pass")
		.definedBy("io.ringkernel.compiler.pass")
		.layer("ir")
		.definedBy("io.ringkernel.compiler.ir")
		.whereLayer("compiler")
		.mayOnlyAccessLayers("bytecode", "ptx", "ir")
		.whereLayer("bytecode")
		.mayOnlyAccessLayers("pass", "ir", "strict")
		.whereLayer("strict")
		.mayNotAccessAnyLayer()
		.whereLayer("ptx")
		.mayOnlyAccessLayers("pass", "ir")
		.whereLayer("pass")
		.mayOnlyAccessLayers("ir")
		.whereLayer("ir")
		.mayNotAccessAnyLayer();

	@ArchTest
	static final ArchRule nothingButCoreAndAsmIsUsed = classes().should()
		.onlyDependOnClassesThat()
		.resideInAnyPackage("io.ringkernel..", "java..", "org.jspecify..", "org.objectweb.asm..");

}
