package io.ringkernel.maven;

import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.util.Arrays;
import java.util.stream.Stream;

import io.ringkernel.RingKernelHandler;
import org.jspecify.annotations.Nullable;

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

	static ProjectKernel of(String id, String image, Class<?> handler) {
		ParameterizedType type = handlerType(handler);
		if (type == null || !Arrays.stream(type.getActualTypeArguments()).allMatch(ProjectKernel::isRecord)) {
			throw new IllegalArgumentException(
					"Ring kernel '%s': %s does not say which records it handles. Declare it as RingKernelHandler<Request, Response>."
						.formatted(id, handler.getName()));
		}
		return new ProjectKernel(id, image, handler, message(type, 0), message(type, 1));
	}

	private static @Nullable ParameterizedType handlerType(@Nullable Class<?> type) {
		if (type == null) {
			return null;
		}
		return Stream.of(type.getGenericInterfaces())
			.filter(ParameterizedType.class::isInstance)
			.map(ParameterizedType.class::cast)
			.filter((candidate) -> candidate.getRawType() == RingKernelHandler.class)
			.findFirst()
			.orElseGet(() -> handlerType(type.getSuperclass()));
	}

	private static boolean isRecord(Type type) {
		return type instanceof Class<?> message && message.isRecord();
	}

	private static Class<? extends Record> message(ParameterizedType type, int index) {
		return ((Class<?>) type.getActualTypeArguments()[index]).asSubclass(Record.class);
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
