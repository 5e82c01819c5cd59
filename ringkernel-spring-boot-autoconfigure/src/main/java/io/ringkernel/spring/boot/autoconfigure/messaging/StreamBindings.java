package io.ringkernel.spring.boot.autoconfigure.messaging;

import java.util.List;

import io.ringkernel.spring.messaging.PausableConsumers;

import org.springframework.cloud.stream.binder.Binding;
import org.springframework.cloud.stream.binding.BindingsLifecycleController;

/** The input bindings of Spring Cloud Stream; a name has one for each destination. */
record StreamBindings(BindingsLifecycleController bindings) implements PausableConsumers {

	private List<Binding<?>> inputs(String name) {
		return this.bindings.queryState(name).stream().filter(Binding::isInput).toList();
	}

	@Override
	public boolean contains(String name) {
		return !inputs(name).isEmpty();
	}

	@Override
	public boolean pause(String name) {
		List<Binding<?>> going = inputs(name).stream().filter((binding) -> !binding.isPaused()).toList();
		going.forEach(Binding::pause);
		return !going.isEmpty();
	}

	@Override
	public void resume(String name) {
		inputs(name).forEach(Binding::resume);
	}

}
