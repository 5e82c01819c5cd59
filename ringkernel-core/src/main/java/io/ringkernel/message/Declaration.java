package io.ringkernel.message;

import java.lang.annotation.Annotation;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

import io.ringkernel.Capacity;
import io.ringkernel.Length;
import io.ringkernel.UnsupportedMessageTypeException;

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

	/**
	 * Whether the component is marked {@code @Nullable}, by JSpecify's annotation or
	 * another of the same name.
	 */
	boolean isNullable() {
		Stream<Annotation> annotations = Stream.concat(Stream.of(this.component.getAnnotations()),
				Stream.of(this.component.getAnnotatedType().getAnnotations()));
		return annotations.anyMatch((annotation) -> annotation.annotationType().getSimpleName().equals("Nullable"));
	}

	/**
	 * The argument of a generic type with one parameter.
	 */
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
		Capacity capacity = this.component.getAnnotation(Capacity.class);
		return (capacity != null) ? positive("@Capacity", capacity.value()) : null;
	}

	@Nullable Integer length() {
		Length length = this.component.getAnnotation(Length.class);
		return (length != null) ? positive("@Length", length.value()) : null;
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
