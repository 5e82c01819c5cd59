package io.ringkernel.maven;

import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.lang.reflect.TypeVariable;
import java.util.List;
import java.util.stream.Stream;

import io.ringkernel.RingKernelHandler;

/**
 * A kernel as {@code @RingKernel} declares it in the project that is built.
 *
 * @param id its id
 * @param image where its image is; empty if it has none
 * @param handler the class of its handler
 * @param request the record of its requests
 * @param response the record of its responses
 */
record ProjectKernel(String id, String image, Class<?> handler, Class<? extends Record> request,
		Class<? extends Record> response) {

	/**
	 * A kernel of the project.
	 * @param arguments the type arguments of the handler where the kernel is declared;
	 * none if it is a class that has no parameters
	 */
	static ProjectKernel of(String id, String image, Class<?> handler, List<? extends Type> arguments) {
		List<? extends Type> records = recordsOf(handler, arguments);
		if (records.size() != 2 || !records.stream().allMatch(ProjectKernel::isRecord)) {
			throw new IllegalArgumentException(
					"Ring kernel '%s': %s does not say which records it handles. Declare it as RingKernelHandler<Request, Response>."
						.formatted(id, handler.getName()));
		}
		return new ProjectKernel(id, image, handler, message(records.get(0)), message(records.get(1)));
	}

	/**
	 * The type arguments of {@link RingKernelHandler} in a type, as its superclasses and
	 * interfaces hand them on.
	 */
	private static List<? extends Type> recordsOf(Class<?> type, List<? extends Type> arguments) {
		if (type == RingKernelHandler.class) {
			return arguments;
		}
		return Stream.concat(Stream.ofNullable(type.getGenericSuperclass()), Stream.of(type.getGenericInterfaces()))
			.filter((parent) -> RingKernelHandler.class.isAssignableFrom(rawTypeOf(parent)))
			.findFirst()
			.<List<? extends Type>>map((parent) -> recordsOf(rawTypeOf(parent), handedOn(parent, type, arguments)))
			.orElse(List.of());
	}

	private static Class<?> rawTypeOf(Type type) {
		return (Class<?>) ((type instanceof ParameterizedType parameterized) ? parameterized.getRawType() : type);
	}

	private static List<Type> handedOn(Type parent, Class<?> type, List<? extends Type> arguments) {
		List<TypeVariable<?>> variables = List.of(type.getTypeParameters());
		return (parent instanceof ParameterizedType parameterized)
				? Stream.of(parameterized.getActualTypeArguments()).<Type>map((argument) -> {
					int index = variables.indexOf(argument);
					return (index >= 0 && index < arguments.size()) ? arguments.get(index) : argument;
				}).toList() : List.of();
	}

	private static boolean isRecord(Type type) {
		return type instanceof Class<?> message && message.isRecord();
	}

	private static Class<? extends Record> message(Type type) {
		return ((Class<?>) type).asSubclass(Record.class);
	}

	/**
	 * The file name of the image without its ending: {@code saxpy} of
	 * {@code classpath:kernels/saxpy.ptx#saxpy}.
	 */
	String imageName() {
		String file = this.image.substring(this.image.lastIndexOf('/') + 1);
		int entry = file.indexOf('#');
		String name = (entry < 0) ? file : file.substring(0, entry);
		return name.substring(name.indexOf(':') + 1).replaceFirst("\\.[^.]*$", "");
	}

}
