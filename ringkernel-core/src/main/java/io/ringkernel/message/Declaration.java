package io.ringkernel.message;

import java.lang.annotation.Annotation;
import java.lang.reflect.Parameter;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.util.List;
import java.util.stream.Stream;

import io.ringkernel.Capacity;
import io.ringkernel.Length;
import io.ringkernel.exception.UnsupportedMessageTypeException;
import org.jspecify.annotations.Nullable;

/**
 * What the source says about one record component.
 */
record Declaration(RecordComponent component) {

	String name() {
		return this.component.getName();
	}

	Class<?> type() {
		return this.component.getType();
	}

	/** Whether it is marked {@code @Nullable}, by JSpecify's annotation or another. */
	boolean isNullable() {
		Stream<Annotation> annotations = Stream.concat(Stream.of(this.component.getAnnotations()),
				Stream.of(this.component.getAnnotatedType().getAnnotations()));
		return annotations.anyMatch((annotation) -> annotation.annotationType().getSimpleName().equals("Nullable"));
	}

	Class<?> typeArgument() {
		if (this.component.getGenericType() instanceof ParameterizedType parameterized) {
			Type argument = parameterized.getActualTypeArguments()[0];
			if (argument instanceof Class<?> argumentClass) {
				return argumentClass;
			}
		}
		throw unsupported("is a " + this.component.getGenericType().getTypeName()
				+ "; write the type argument, as in Optional<Point>");
	}

	@Nullable Integer capacity() {
		Capacity capacity = annotation(Capacity.class);
		return (capacity != null) ? positive("@Capacity", capacity.value()) : null;
	}

	@Nullable Integer length() {
		Length length = annotation(Length.class);
		return (length != null) ? positive("@Length", length.value()) : null;
	}

	/**
	 * An annotation of the component, of its accessor or of its parameter in the
	 * canonical constructor. Kotlin leaves annotations of a {@code @JvmRecord} at the
	 * latter two.
	 */
	private <A extends Annotation> @Nullable A annotation(Class<A> type) {
		A own = this.component.getAnnotation(type);
		if (own == null) {
			own = this.component.getAccessor().getAnnotation(type);
		}
		return (own != null) ? own : parameter().getAnnotation(type);
	}

	private Parameter parameter() {
		Class<?> owner = this.component.getDeclaringRecord();
		RecordComponent[] components = owner.getRecordComponents();
		Class<?>[] types = Stream.of(components).map(RecordComponent::getType).toArray(Class<?>[]::new);
		List<String> names = Stream.of(components).map(RecordComponent::getName).toList();
		try {
			return owner.getDeclaredConstructor(types).getParameters()[names.indexOf(name())];
		}
		catch (NoSuchMethodException ex) {
			throw new IllegalStateException(owner.getName() + " has no canonical constructor", ex);
		}
	}

	private int positive(String annotation, int value) {
		if (value < 1) {
			throw unsupported("has " + annotation + "(" + value + "); it must be at least 1");
		}
		return value;
	}

	UnsupportedMessageTypeException unsupported(String problem) {
		Class<?> type = this.component.getDeclaringRecord();
		return new UnsupportedMessageTypeException(type, type.getSimpleName() + "." + name() + " " + problem);
	}

}
