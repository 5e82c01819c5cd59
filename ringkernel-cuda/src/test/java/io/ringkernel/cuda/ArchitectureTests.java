package io.ringkernel.cuda;

import java.util.Map;
import java.util.stream.Collectors;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.Architectures.layeredArchitecture;
import static org.assertj.core.api.Assertions.assertThat;

@AnalyzeClasses(packages = "io.ringkernel.cuda", importOptions = ImportOption.DoNotIncludeTests.class)
class ArchitectureTests {

	@ArchTest
	static final ArchRule onePackageTouchesJCuda = noClasses().that()
		.resideOutsideOfPackage("io.ringkernel.cuda.driver")
		.should()
		.dependOnClassesThat()
		.resideInAPackage("jcuda..");

	@ArchTest
	static final ArchRule onePackageTouchesJna = noClasses().that()
		.resideOutsideOfPackage("io.ringkernel.cuda.nvrtc")
		.should()
		.dependOnClassesThat()
		.resideInAPackage("com.sun.jna..");

	@ArchTest
	static final ArchRule theDriverKnowsNothingOfTheBackend = noClasses().that()
		.resideInAPackage("io.ringkernel.cuda.driver")
		.should()
		.dependOnClassesThat()
		.resideInAnyPackage("io.ringkernel.backend..", "io.ringkernel.ring..", "io.ringkernel.runtime..");

	@ArchTest
	static final ArchRule packagesDependOnThoseBelow = layeredArchitecture().consideringOnlyDependenciesInLayers()
		.layer("driver")
		.definedBy("io.ringkernel.cuda.driver")
		.layer("nvrtc")
		.definedBy("io.ringkernel.cuda.nvrtc")
		.layer("image")
		.definedBy("io.ringkernel.cuda.image")
		.layer("memory")
		.definedBy("io.ringkernel.cuda.memory")
		.layer("probe")
		.definedBy("io.ringkernel.cuda.probe")
		.layer("transport")
		.definedBy("io.ringkernel.cuda.transport")
		.layer("load")
		.definedBy("io.ringkernel.cuda.load")
		.layer("loop")
		.definedBy("io.ringkernel.cuda.loop")
		.layer("host")
		.definedBy("io.ringkernel.cuda.host..")
		.layer("root")
		.definedBy("io.ringkernel.cuda")
		.layer("codegen")
		.definedBy("io.ringkernel.cuda.codegen")
		.whereLayer("driver")
		.mayNotAccessAnyLayer()
		.whereLayer("nvrtc")
		.mayNotAccessAnyLayer()
		.whereLayer("image")
		.mayOnlyAccessLayers("driver", "nvrtc", "codegen")
		.whereLayer("memory")
		.mayOnlyAccessLayers("driver")
		.whereLayer("probe")
		.mayOnlyAccessLayers("driver", "image")
		.whereLayer("transport")
		.mayOnlyAccessLayers("driver", "memory", "probe")
		.whereLayer("load")
		.mayOnlyAccessLayers("driver", "image", "memory", "probe", "transport")
		.whereLayer("loop")
		.mayOnlyAccessLayers("driver", "memory", "probe", "transport", "load")
		.whereLayer("host")
		.mayOnlyAccessLayers("image")
		.whereLayer("root")
		.mayNotBeAccessedByAnyLayer()
		.whereLayer("codegen")
		.mayNotAccessAnyLayer();

	@ArchTest
	static final ArchRule applicationAndHostHaveTheWireInCommon = layeredArchitecture()
		.consideringOnlyDependenciesInLayers()
		.layer("application")
		.definedBy("io.ringkernel.cuda.host")
		.layer("remote")
		.definedBy("io.ringkernel.cuda.host.remote")
		.layer("server")
		.definedBy("io.ringkernel.cuda.host.server")
		.layer("wire")
		.definedBy("io.ringkernel.cuda.host.wire")
		.whereLayer("application")
		.mayOnlyAccessLayers("remote", "wire")
		.whereLayer("remote")
		.mayOnlyAccessLayers("wire")
		.whereLayer("server")
		.mayOnlyAccessLayers("wire")
		.whereLayer("wire")
		.mayNotAccessAnyLayer();

	@ArchTest
	static void noPackageIsLargerThanARoom(JavaClasses classes) {
		Map<String, Long> types = classes.stream()
			.filter((type) -> type.isTopLevelClass() && !type.getSimpleName().equals("package-info"))
			.collect(Collectors.groupingBy(JavaClass::getPackageName, Collectors.counting()));
		assertThat(types).allSatisfy((room, count) -> assertThat(count).as(room).isLessThanOrEqualTo(30));
	}

}
