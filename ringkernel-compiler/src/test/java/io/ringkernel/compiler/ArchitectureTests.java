package io.ringkernel.compiler;

import java.util.Map;
import java.util.stream.Collectors;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.library.Architectures.layeredArchitecture;
import static org.assertj.core.api.Assertions.assertThat;

@AnalyzeClasses(packages = "io.ringkernel.compiler", importOptions = ImportOption.DoNotIncludeTests.class)
class ArchitectureTests {

	@ArchTest
	static final ArchRule stagesKnowTheCodeBetweenThemAlone = layeredArchitecture()
		.consideringOnlyDependenciesInLayers()
		.layer("compiler")
		.definedBy("io.ringkernel.compiler")
		.layer("bytecode")
		.definedBy("io.ringkernel.compiler.bytecode")
		.layer("call")
		.definedBy("io.ringkernel.compiler.call")
		.layer("parallel")
		.definedBy("io.ringkernel.compiler.parallel")
		.layer("handler")
		.definedBy("io.ringkernel.compiler.handler")
		.layer("translation")
		.definedBy("io.ringkernel.compiler.translation")
		.layer("value")
		.definedBy("io.ringkernel.compiler.value")
		.layer("classfile")
		.definedBy("io.ringkernel.compiler.classfile")
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
		.mayOnlyAccessLayers("call", "handler", "translation", "value", "classfile", "pass", "ir")
		.whereLayer("call")
		.mayOnlyAccessLayers("parallel", "handler", "translation", "value", "classfile", "ir", "strict")
		.whereLayer("parallel")
		.mayOnlyAccessLayers("translation", "value", "classfile", "pass", "ir")
		.whereLayer("handler")
		.mayOnlyAccessLayers("translation", "value", "classfile", "ir")
		.whereLayer("translation")
		.mayOnlyAccessLayers("value", "classfile", "pass", "ir")
		.whereLayer("value")
		.mayOnlyAccessLayers("classfile", "ir")
		.whereLayer("classfile")
		.mayOnlyAccessLayers("strict")
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

	@ArchTest
	static void noPackageIsLargerThanARoom(JavaClasses classes) {
		Map<String, Long> types = classes.stream()
			.filter((type) -> type.isTopLevelClass() && !type.getSimpleName().equals("package-info"))
			.collect(Collectors.groupingBy(JavaClass::getPackageName, Collectors.counting()));
		assertThat(types).allSatisfy((room, count) -> assertThat(count).as(room).isLessThanOrEqualTo(30));
	}

}
