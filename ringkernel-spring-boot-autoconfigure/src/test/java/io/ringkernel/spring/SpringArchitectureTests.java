package io.ringkernel.spring;

import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.core.importer.Location;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.context.annotation.Bean;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.methods;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

/**
 * How the classes of this module and the ones below it may depend on each other.
 */
@AnalyzeClasses(packages = "io.ringkernel",
		importOptions = { ImportOption.DoNotIncludeTests.class, SpringArchitectureTests.DoNotIncludeTestJars.class })
class SpringArchitectureTests {

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

	@ArchTest
	static final ArchRule CORE_AND_CUDA_DO_NOT_KNOW_SPRING = noClasses().that()
		.resideOutsideOfPackage("io.ringkernel.spring..")
		.should()
		.dependOnClassesThat()
		.resideInAnyPackage("org.springframework..", "io.ringkernel.spring..");

	@ArchTest
	static final ArchRule PROGRAMMING_MODEL_DOES_NOT_KNOW_BOOT = noClasses().that()
		.resideInAPackage("io.ringkernel.spring")
		.should()
		.dependOnClassesThat()
		.resideInAnyPackage("org.springframework.boot..", "io.ringkernel.spring.boot..");

	@ArchTest
	static final ArchRule NOTHING_DEPENDS_ON_ACTUATOR_SUPPORT = noClasses().that()
		.resideOutsideOfPackage("..actuate..")
		.should()
		.dependOnClassesThat()
		.resideInAnyPackage("io.ringkernel.spring.boot.autoconfigure.actuate..", "org.springframework.boot.actuate..",
				"org.springframework.boot.health..");

	/**
	 * The exceptions choose between two ways to the device, where that is on the class
	 * path.
	 */
	@ArchTest
	static final ArchRule CUDA_IS_ONLY_KNOWN_AS_A_BACKEND = noClasses().that()
		.resideInAPackage("io.ringkernel.spring..")
		.and()
		.haveSimpleNameNotStartingWith("DeviceIsolation")
		.should()
		.dependOnClassesThat()
		.resideInAnyPackage("io.ringkernel.cuda..", "jcuda..");

	@ArchTest
	static final ArchRule PACKAGES_HAVE_NO_CYCLES = slices().matching("io.ringkernel.(**)").should().beFreeOfCycles();

	/**
	 * The modules below hand their test doubles over in jars, which the predefined option
	 * takes for classes of the product.
	 */
	static final class DoNotIncludeTestJars implements ImportOption {

		@Override
		public boolean includes(Location location) {
			return !location.contains("-tests.jar");
		}

	}

}
