package io.ringkernel.spring.boot.autoconfigure;

import java.util.List;
import java.util.stream.Collectors;

/** Properties of ring kernels are set that do not exist. */
final class UnknownPropertyException extends RuntimeException {

	private final transient List<WrittenProperty> properties;

	UnknownPropertyException(List<WrittenProperty> properties) {
		super(properties.stream()
			.map((property) -> "There is no property '%s'".formatted(property.name()))
			.collect(Collectors.joining("; ")));
		this.properties = properties;
	}

	List<WrittenProperty> properties() {
		return this.properties;
	}

}
