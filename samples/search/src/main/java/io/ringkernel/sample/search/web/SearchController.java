package io.ringkernel.sample.search.web;

import java.util.Arrays;
import java.util.stream.Collectors;

import io.ringkernel.platform.ConfiguredName;
import io.ringkernel.runtime.Kernel;
import io.ringkernel.sample.search.PassageSearch;
import io.ringkernel.sample.search.SearchAnswer;
import io.ringkernel.sample.search.corpus.Category;
import io.ringkernel.sample.search.index.CorpusIndexing;
import io.ringkernel.sample.search.index.Progress;
import io.ringkernel.spring.ai.RingKernelVectorStore;
import org.jspecify.annotations.Nullable;

import org.springframework.http.HttpStatus;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.server.ResponseStatusException;

/** Searches over HTTP, and says how far the passages are embedded. */
@RestController
@RequestMapping("/api")
class SearchController {

	private static final int MAX_LENGTH = 1000;

	private static final int MAX_LIMIT = 100;

	private static final String LIMIT = "10";

	private final PassageSearch search;

	private final CorpusIndexing indexing;

	private final Kernel<?, ?> kernel;

	SearchController(PassageSearch search, CorpusIndexing indexing, RingKernelVectorStore store) {
		this.search = search;
		this.indexing = indexing;
		this.kernel = store.<Kernel<?, ?>>getNativeClient().orElseThrow();
	}

	@GetMapping("/search")
	SearchAnswer search(@RequestParam("q") String text, @RequestParam(required = false) @Nullable String category,
			@RequestParam(defaultValue = LIMIT) int limit) {
		if (text.isBlank() || text.length() > MAX_LENGTH) {
			throw invalid("q has %d characters. Describe what you look for in 1 to %d characters."
				.formatted(text.strip().length(), MAX_LENGTH));
		}
		return this.search.search(text, category(category), checked(limit));
	}

	@GetMapping("/passages/{id}/similar")
	SearchAnswer similar(@PathVariable String id, @RequestParam(defaultValue = LIMIT) int limit) {
		return this.search.similar(id, checked(limit))
			.orElseThrow(() -> new ResponseStatusException(HttpStatus.NOT_FOUND,
					"There is no passage '%s', or it is not embedded yet. Take the id of a hit.".formatted(id)));
	}

	@GetMapping("/status")
	Status status() {
		return new Status(this.indexing.progress(), this.kernel.state().name(),
				ConfiguredName.of(this.kernel.plan().backend()));
	}

	private static @Nullable Category category(@Nullable String key) {
		if (key == null || key.isEmpty()) {
			return null;
		}
		return Category.of(key)
			.orElseThrow(() -> invalid(
					"There is no category '%s'. Leave category out, or set it to one of %s.".formatted(key,
							Arrays.stream(Category.values()).map(Category::key).collect(Collectors.joining(", ")))));
	}

	private static int checked(int limit) {
		if (limit < 1 || limit > MAX_LIMIT) {
			throw invalid("limit is %d. Set it to a value from 1 to %d.".formatted(limit, MAX_LIMIT));
		}
		return limit;
	}

	private static ResponseStatusException invalid(String reason) {
		return new ResponseStatusException(HttpStatus.BAD_REQUEST, reason);
	}

	record Status(Progress progress, String kernelState, String backend) {
	}

}
