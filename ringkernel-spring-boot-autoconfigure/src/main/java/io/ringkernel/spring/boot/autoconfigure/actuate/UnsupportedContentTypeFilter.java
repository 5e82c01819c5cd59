package io.ringkernel.spring.boot.autoconfigure.actuate;

import java.io.IOException;

import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;

import org.springframework.http.HttpStatus;
import org.springframework.web.filter.OncePerRequestFilter;
import org.springframework.web.util.UrlPathHelper;

/**
 * Refuses a request to the endpoint whose content type is a range or of several parts. A
 * range would match what an operation consumes, and end in an exception when its headers
 * are read. Parts are parsed before an operation is chosen, and end in an exception if
 * they are malformed.
 */
final class UnsupportedContentTypeFilter extends OncePerRequestFilter {

	private static final String MULTIPART = "multipart/";

	private final UrlPathHelper paths = new UrlPathHelper();

	private final String endpointPath;

	UnsupportedContentTypeFilter(String endpointPath) {
		this.endpointPath = endpointPath;
	}

	@Override
	protected boolean shouldNotFilter(HttpServletRequest request) {
		String contentType = request.getContentType();
		return contentType == null || !(contentType.contains("*") || isMultipart(contentType))
				|| !this.paths.getPathWithinApplication(request).contains(this.endpointPath);
	}

	private static boolean isMultipart(String contentType) {
		return contentType.regionMatches(true, 0, MULTIPART, 0, MULTIPART.length());
	}

	@Override
	protected void doFilterInternal(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
			throws ServletException, IOException {
		response.sendError(HttpStatus.UNSUPPORTED_MEDIA_TYPE.value());
	}

}
