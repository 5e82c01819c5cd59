package io.ringkernel.spring.boot.autoconfigure;

import java.util.List;

import io.ringkernel.runtime.Kernel;
import io.ringkernel.runtime.RingKernelRuntime;
import io.ringkernel.spring.UnknownKernelIdException;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.SmartInitializingSingleton;

/**
 * Checks that every kernel that is configured exists: a misspelt id would otherwise leave
 * its kernel at the defaults without a word.
 */
final class ConfiguredKernelsCheck implements SmartInitializingSingleton {

	private final RingKernelProperties properties;

	private final RingKernelRuntime runtime;

	private final ObjectProvider<Kernel<?, ?>> kernelBeans;

	ConfiguredKernelsCheck(RingKernelProperties properties, RingKernelRuntime runtime,
			ObjectProvider<Kernel<?, ?>> kernelBeans) {
		this.properties = properties;
		this.runtime = runtime;
		this.kernelBeans = kernelBeans;
	}

	@Override
	public void afterSingletonsInstantiated() {
		this.kernelBeans.forEach(Kernel::id);
		List<String> known = this.runtime.kernels().stream().<String>map(Kernel::id).toList();
		for (String id : this.properties.kernels().keySet()) {
			if (known.stream().noneMatch((kernelId) -> PropertiesKernelSettings.means(id, kernelId))) {
				throw new UnknownKernelIdException("ringkernel.kernels.", id,
						"configures a ring kernel that does not exist.", known);
			}
		}
	}

}
