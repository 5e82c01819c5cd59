package io.ringkernel.spring.boot.autoconfigure;

import java.nio.file.Files;
import java.nio.file.Path;

import io.ringkernel.backend.BackendProvider;
import io.ringkernel.cuda.CudaBackendProvider;
import io.ringkernel.cuda.host.HostOptions;
import io.ringkernel.exception.InvalidConfigurationException;

/** Has a kernel host use the CUDA devices, as {@code ringkernel.isolation} says. */
record DeviceIsolation(RingKernelProperties properties) {

	/** What takes the place of a provider, which need not be that of CUDA devices. */
	BackendProvider isolated(BackendProvider provider) {
		if (!(provider instanceof CudaBackendProvider)) {
			return provider;
		}
		return switch (this.properties.isolation()) {
			case NONE -> provider;
			case PROCESS -> CudaBackendProvider.isolated(options());
			case AUTO -> CudaBackendProvider.isolatedIfPossible(options());
		};
	}

	private HostOptions options() {
		RingKernelProperties.Host host = this.properties.host();
		Path directory = (host.directory() != null) ? require(host.directory()) : HostOptions.DEFAULTS.directory();
		return new HostOptions(directory, host.startTimeout(), host.silenceTimeout(), host.endedAfter());
	}

	/** Where there is no driver, nothing else looks at the directory. */
	private static Path require(Path directory) {
		if (!Files.isDirectory(directory)) {
			throw new InvalidConfigurationException("ringkernel.host.directory", directory, "is no directory",
					"Create it, or set it to a directory in memory such as /dev/shm.");
		}
		return directory;
	}

}
