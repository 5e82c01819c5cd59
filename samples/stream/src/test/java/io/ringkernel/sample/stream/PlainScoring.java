package io.ringkernel.sample.stream;

import java.util.List;
import java.util.function.Function;

import io.ringkernel.sample.stream.kernel.CardRequest;
import io.ringkernel.sample.stream.kernel.CardResponse;
import io.ringkernel.sample.stream.kernel.CardScoring;

import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Primary;

/**
 * Has a node call the handler directly, one request after another: what the kernel is
 * measured against. Without a stereotype, as the application looks for components in this
 * package; {@code spring.main.sources} names it.
 */
public class PlainScoring {

	@Bean
	@Primary
	Function<List<CardRequest>, List<CardResponse>> plain(CardScoring handler) {
		return (requests) -> requests.stream().map(handler::handle).toList();
	}

}
