package io.ringkernel.spring.exchange;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;
import java.util.Map;

import org.jspecify.annotations.Nullable;

/**
 * Calls kernels where an interface is called, and its default methods where it has some.
 */
record ExchangeProxy(Class<?> type, Map<Method, ExchangeCall> calls) implements InvocationHandler {

	private static final Object[] NO_ARGUMENTS = {};

	@Override
	@SuppressWarnings("ReferenceEquality")
	public @Nullable Object invoke(Object proxy, Method method, Object @Nullable [] arguments) throws Throwable {
		ExchangeCall call = this.calls.get(method);
		Object[] given = (arguments != null) ? arguments : NO_ARGUMENTS;
		if (call != null) {
			return call.invoke(given);
		}
		if (method.isDefault()) {
			// The interface need not be public.
			method.setAccessible(true);
			return InvocationHandler.invokeDefault(proxy, method, given);
		}
		return switch (method.getName()) {
			case "equals" -> proxy == given[0];
			case "hashCode" -> System.identityHashCode(proxy);
			default -> "ring kernel client " + this.type.getName();
		};
	}

}
