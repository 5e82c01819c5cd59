package io.ringkernel.spring.ai;

import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.context.annotation.Bean;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.methods;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.Architectures.layeredArchitecture;

/**
 * How the packages of this module may depend on each other.
 */
@AnalyzeClasses(packages = "io.ringkernel.spring.ai", importOptions = ImportOption.DoNotIncludeTests.class)
class SpringAiArchitectureTests {

	@ArchTest
	static final ArchRule ARROWS_RUN_DOWN = layeredArchitecture().consideringOnlyDependenciesInLayers()
		.layer("auto-configuration")
		.definedBy("..ai.autoconfigure")
		.layer("store")
		.definedBy("io.ringkernel.spring.ai")
		.layer("index")
		.definedBy("..ai.index")
		.layer("graph")
		.definedBy("..ai.graph")
		.layer("storage")
		.definedBy("..ai.storage")
		.layer("filter")
		.definedBy("..ai.filter")
		.layer("search")
		.definedBy("..ai.search")
		.whereLayer("auto-configuration")
		.mayNotBeAccessedByAnyLayer()
		.whereLayer("store")
		.mayOnlyBeAccessedByLayers("auto-configuration")
		.whereLayer("index")
		.mayOnlyBeAccessedByLayers("store")
		.whereLayer("filter")
		.mayOnlyBeAccessedByLayers("index")
		.whereLayer("graph")
		.mayOnlyBeAccessedByLayers("index", "store", "auto-configuration")
		.whereLayer("storage")
		.mayNotAccessAnyLayer()
		.whereLayer("search")
		.mayNotAccessAnyLayer();

	@ArchTest
	static final ArchRule KERNEL_KNOWS_NEITHER_SPRING_NOR_THE_STORAGE = noClasses().that()
		.resideInAPackage("..ai.search")
		.should()
		.dependOnClassesThat()
		.resideInAnyPackage("org.springframework..", "org.h2..", "tools.jackson..");

	@ArchTest
	static final ArchRule ONE_PACKAGE_KNOWS_THE_LIBRARY_THAT_STORES = noClasses().that()
		.resideOutsideOfPackage("..ai.storage")
		.should()
		.dependOnClassesThat()
		.resideInAPackage("org.h2..");

	@ArchTest
	static final ArchRule ONE_PACKAGE_KNOWS_THE_LIBRARY_FOR_GRAPHS = noClasses().that()
		.resideOutsideOfPackage("..ai.graph")
		.should()
		.dependOnClassesThat()
		.resideInAPackage("io.github.jbellis..");

	@ArchTest
	static final ArchRule BOOT_IS_KNOWN_TO_THE_AUTO_CONFIGURATION_ALONE = noClasses().that()
		.resideOutsideOfPackage("..ai.autoconfigure")
		.should()
		.dependOnClassesThat()
		.resideInAnyPackage("org.springframework.boot..");

	@ArchTest
	static final ArchRule AUTO_CONFIGURATIONS_ARE_PUBLIC_AND_FINAL = classes().that()
		.areAnnotatedWith(AutoConfiguration.class)
		.should()
		.bePublic()
		.andShould()
		.haveModifier(JavaModifier.FINAL);

	@ArchTest
	static final ArchRule BEAN_METHODS_ARE_PACKAGE_PRIVATE = methods().that()
		.areAnnotatedWith(Bean.class)
		.should()
		.bePackagePrivate();

}
