package io.ringkernel.spring.boot.autoconfigure;

import java.util.List;
import java.util.function.UnaryOperator;

import io.ringkernel.runtime.Kernel;
import io.ringkernel.runtime.RingKernelRuntime;
import io.ringkernel.spring.UnknownKernelIdException;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.Environment;

/** Checks that every configured kernel exists: a misspelt id would have no effect. */
record ConfiguredKernelsCheck(Environment environment, RingKernelRuntime runtime,
		ObjectProvider<Kernel<?, ?>> kernelBeans) implements SmartInitializingSingleton {

	@Override
	public void afterSingletonsInstantiated() {
		this.kernelBeans.forEach(Kernel::id);
		List<String> known = this.runtime.kernels().stream().<String>map(Kernel::id).toList();
		if (this.environment instanceof ConfigurableEnvironment configurable) {
			WrittenProperty.in(configurable)
				.forEach((property) -> PropertyNames.kernelIn(property).ifPresent((id) -> check(property, id, known)));
		}
	}

	private static void check(WrittenProperty property, String id, List<String> known) {
		String plain = WrittenProperty.plain(id);
		if (known.stream().map(WrittenProperty::plain).noneMatch(plain::equals)) {
			UnaryOperator<String> spelling = property.variable() ? PropertyNames::variable : UnaryOperator.identity();
			throw new UnknownKernelIdException(spelling.apply(PropertyNames.KERNELS), id,
					"configures a ring kernel that does not exist. It is set in %s.".formatted(property.origin()),
					known.stream().map(spelling).toList());
		}
	}

}
