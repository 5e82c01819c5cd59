package io.ringkernel.spring;

import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.BinaryOperator;

import org.jspecify.annotations.Nullable;

import org.springframework.aot.generate.GenerationContext;
import org.springframework.aot.hint.ExecutableMode;
import org.springframework.aot.hint.MemberCategory;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.beans.factory.aot.BeanRegistrationAotContribution;
import org.springframework.beans.factory.aot.BeanRegistrationCode;
import org.springframework.beans.factory.config.ConstructorArgumentValues;
import org.springframework.beans.factory.support.RootBeanDefinition;
import org.springframework.core.ResolvableType;
import org.springframework.core.env.PropertyResolver;

/**
 * What a native image has to know of one kernel: its records, whose components are read
 * and which are constructed through method handles, and the resource of its CUDA image.
 *
 * @param image the image's location, or an empty string
 * @param messages the records of request and response
 */
record KernelRuntimeHints(String image, Set<Class<?>> messages) implements BeanRegistrationAotContribution {

	private static final String CLASSPATH = "classpath:";

	private static final String PTX = ".ptx";

	/**
	 * The hints for the bean of a kernel. The image's location, and a placeholder in it,
	 * count with the value that they have ahead of time.
	 */
	static KernelRuntimeHints of(RootBeanDefinition kernel, BinaryOperator<String> images,
			PropertyResolver properties) {
		ConstructorArgumentValues arguments = kernel.getConstructorArgumentValues();
		Class<?> request = (Class<?>) argument(arguments, KernelFactory.REQUEST_INDEX);
		Class<?> response = (Class<?>) argument(arguments, KernelFactory.RESPONSE_INDEX);
		String image = images.apply((String) argument(arguments, KernelFactory.ID_INDEX),
				(String) argument(arguments, KernelFactory.IMAGE_INDEX));
		return new KernelRuntimeHints(properties.resolvePlaceholders(image),
				(request != response) ? Set.of(request, response) : Set.of(request));
	}

	private static Object argument(ConstructorArgumentValues arguments, int index) {
		ConstructorArgumentValues.@Nullable ValueHolder holder = arguments.getIndexedArgumentValue(index, null);
		Object value = (holder != null) ? holder.getValue() : null;
		if (value == null) {
			throw new IllegalStateException("The bean of a kernel has no argument " + index);
		}
		return value;
	}

	@Override
	public void applyTo(GenerationContext generationContext, BeanRegistrationCode beanRegistrationCode) {
		RuntimeHints hints = generationContext.getRuntimeHints();
		this.messages.forEach((message) -> registerRecord(hints, message));
		if (this.image.startsWith(CLASSPATH)) {
			String resource = resource(this.image.substring(CLASSPATH.length()));
			hints.resources().registerPattern(resource);
			if (resource.endsWith(PTX)) {
				// What it was compiled to, where it was.
				hints.resources().registerPattern(resource.replace(PTX, ".*.fatbin"));
			}
		}
	}

	/** The path, without the name of an entry behind it. */
	private static String resource(String path) {
		int hash = path.lastIndexOf('#');
		String file = (hash < 0) ? path : path.substring(0, hash);
		return file.startsWith("/") ? file.substring(1) : file;
	}

	/** A record that contains itself cannot be laid out, but is not to hang the build. */
	private static void registerRecord(RuntimeHints hints, Class<?> message) {
		if (hints.reflection().getTypeHint(message) != null) {
			return;
		}
		hints.reflection()
			.registerType(message, MemberCategory.INVOKE_DECLARED_CONSTRUCTORS, MemberCategory.INVOKE_DECLARED_METHODS);
		for (var component : message.getRecordComponents()) {
			registerComponent(hints, ResolvableType.forMethodReturnType(component.getAccessor()));
		}
	}

	private static void registerComponent(RuntimeHints hints, ResolvableType component) {
		Class<?> type = component.toClass();
		if (type == Optional.class) {
			registerComponent(hints, component.getGeneric());
		}
		else if (type.isArray() && type.getComponentType().isRecord()) {
			hints.reflection().registerType(type);
			registerRecord(hints, type.getComponentType());
		}
		else if (type.isRecord()) {
			registerRecord(hints, type);
		}
		else if (type.isEnum()) {
			hints.reflection()
				.registerType(type, (hint) -> hint.withMethod("values", List.of(), ExecutableMode.INVOKE));
		}
	}

}
