package io.ringkernel.sample.search;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * The properties of the sample.
 *
 * @param passages The most passages to embed. WordNet 3.1 has 82,192 nouns; the words
 * that are used most come first.
 */
@ConfigurationProperties("sample.search")
public record SearchProperties(@DefaultValue("100000") int passages) {

}
