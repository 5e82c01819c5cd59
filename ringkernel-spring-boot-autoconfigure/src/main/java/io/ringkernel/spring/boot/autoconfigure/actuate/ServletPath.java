package io.ringkernel.spring.boot.autoconfigure.actuate;

import java.util.List;

import jakarta.servlet.http.HttpServletRequest;
import org.jspecify.annotations.Nullable;

import org.springframework.util.ClassUtils;
import org.springframework.web.context.request.RequestContextHolder;
import org.springframework.web.context.request.ServletRequestAttributes;

/** Finds the servlet request of this thread, and compares its path with the arguments. */
final class ServletPath {

	private static final boolean SERVLET = ClassUtils.isPresent("jakarta.servlet.http.HttpServletRequest",
			ServletPath.class.getClassLoader())
			&& ClassUtils.isPresent("org.springframework.web.context.request.RequestContextHolder",
					ServletPath.class.getClassLoader());

	private ServletPath() {
	}

	/**
	 * Says how the request contradicts its own path.
	 * @param arguments the arguments that the operation received, in the order of the
	 * path
	 * @return sentences; {@code null} if nothing contradicts the path, or if this thread
	 * serves no request of a servlet
	 */
	static @Nullable String contradiction(PathArguments.Argument... arguments) {
		return SERVLET ? Request.contradiction(List.of(arguments)) : null;
	}

	/** Loaded only if the servlet API is on the class path. */
	private static final class Request {

		static @Nullable String contradiction(List<PathArguments.Argument> arguments) {
			if (!(RequestContextHolder.getRequestAttributes() instanceof ServletRequestAttributes attributes)) {
				return null;
			}
			HttpServletRequest request = attributes.getRequest();
			return PathArguments.contradiction(request.getRequestURI(), request.getParameterMap().keySet(), arguments);
		}

	}

}
