package io.ringkernel.cuda;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.ServiceLoader;

import io.ringkernel.backend.BackendProvider;
import io.ringkernel.platform.BackendKind;
import io.ringkernel.platform.PlanOffer;
import io.ringkernel.platform.PlanRequest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link CudaBackendProvider}.
 */
class CudaBackendProviderTests {

	@TempDir
	private Path directory;

	@Test
	void withoutDriverItSaysWhatIsMissing() {
		PlanOffer.Refused refused = refusal();
		assertThat(refused.reason())
			.isEqualTo("no CUDA driver was found (no libcuda.so.1 where libraries are loaded from)");
		assertThat(refused.remedy()).startsWith("Install the NVIDIA driver");
	}

	@Test
	void withDriverItSaysThatCudaIsNotYetUsed() throws IOException {
		Path driver = Files.createFile(this.directory.resolve("libcuda.so.1"));
		assertThat(refusal().reason()).startsWith("this version does not yet run kernels on CUDA")
			.contains(driver.toString());
	}

	private PlanOffer.Refused refusal() {
		PlanOffer offer = new CudaBackendProvider("libcuda.so.1", List.of(this.directory)).plan(PlanRequest.AUTO);
		assertThat(offer).isInstanceOf(PlanOffer.Refused.class);
		return (PlanOffer.Refused) offer;
	}

	@Test
	@DisabledOnOs(OS.WINDOWS)
	void looksWhereTheLoaderDoes() {
		String pathList = String.join(File.pathSeparator, this.directory.toString(), "", "relative");
		assertThat(CudaBackendProvider.loaderDirectories(Map.of("LD_LIBRARY_PATH", pathList)))
			.startsWith(this.directory)
			.contains(Path.of("/usr/lib/wsl/lib"), Path.of("/usr/lib/x86_64-linux-gnu"))
			.allMatch(Path::isAbsolute);
	}

	@Test
	void isFoundByTheRuntime() {
		assertThat(ServiceLoader.load(BackendProvider.class)).filteredOn(CudaBackendProvider.class::isInstance)
			.singleElement()
			.satisfies((provider) -> assertThat(provider.kind()).isEqualTo(BackendKind.CUDA))
			.satisfies((provider) -> assertThat(provider.plan(PlanRequest.AUTO)).isInstanceOf(PlanOffer.Refused.class));
	}

}
