package io.ringkernel.spring.boot.autoconfigure.actuate;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

import org.jspecify.annotations.Nullable;

import org.springframework.util.StringUtils;
import org.springframework.web.util.UriUtils;

/**
 * Compares the arguments of an operation with the path of its request. Actuator replaces
 * the variables of a path by the fields of the body, and both by the parameters of the
 * query. Without this comparison, a request could pass a proxy that decides by the path,
 * and address another kernel.
 */
final class PathArguments {

	private static final String ACTION = "action";

	private PathArguments() {
	}

	/**
	 * Says how a request contradicts its own path.
	 * @param path the path as it was sent, not decoded
	 * @param query the names of the parameters of the query
	 * @param arguments the arguments that the operation received, in the order of the
	 * path, which ends with them
	 * @return sentences; {@code null} if nothing contradicts the path
	 */
	static @Nullable String contradiction(String path, Collection<String> query, List<Argument> arguments) {
		for (String name : query) {
			if (name.equals(ACTION) || arguments.stream().anyMatch((argument) -> argument.name().equals(name))) {
				return "The query has '%s'. Name the kernel in the path and the action in the body.".formatted(name);
			}
		}
		List<String> segments = segments(path);
		int first = segments.size() - arguments.size();
		for (int i = 0; i < arguments.size(); i++) {
			Argument argument = arguments.get(i);
			if (first < 0 || !argument.value().equals(segments.get(first + i))) {
				return "The body has '%s'. Name the kernel in the path alone.".formatted(argument.name());
			}
		}
		return null;
	}

	/** The segments of a path, split before decoding: an encoded slash separates none. */
	private static List<String> segments(String path) {
		List<String> segments = new ArrayList<>();
		for (String segment : StringUtils.delimitedListToStringArray(path, "/")) {
			int parameters = segment.indexOf(';');
			String name = (parameters < 0) ? segment : segment.substring(0, parameters);
			if (!name.isEmpty()) {
				segments.add(UriUtils.decode(name, StandardCharsets.UTF_8));
			}
		}
		return segments;
	}

	/** A variable of the path and the value that the operation received for it. */
	record Argument(String name, String value) {

		static Argument id(String value) {
			return new Argument("id", value);
		}

		static Argument view(String value) {
			return new Argument("view", value);
		}

	}

}
