package io.ringkernel.sample.stream;

import java.util.List;
import java.util.function.Function;

import io.ringkernel.sample.stream.kernel.CardRequest;
import io.ringkernel.sample.stream.kernel.CardResponse;
import io.ringkernel.sample.stream.kernel.CardScoring;

import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Primary;

/**
 * Has a node call the handler directly, one request after another: what the kernel is
 * measured against. Not found by the application; {@code spring.main.sources} names it.
 */
@Configuration(proxyBeanMethods = false)
class PlainScoring {

	@Bean
	@Primary
	Function<List<CardRequest>, List<CardResponse>> plain(CardScoring handler) {
		return (requests) -> requests.stream().map(handler::handle).toList();
	}

}
