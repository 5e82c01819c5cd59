package io.ringkernel.sample.readme;

import java.io.IOException;
import java.io.InputStream;
import java.net.URL;
import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * The properties that the libraries on the class path declare, with their defaults.
 */
final class ConfigurationMetadata {

	private ConfigurationMetadata() {
	}

	static Map<String, String> defaultsByName() throws IOException {
		Map<String, String> defaults = new TreeMap<>();
		ClassLoader loader = ConfigurationMetadata.class.getClassLoader();
		for (URL file : Collections.list(loader.getResources("META-INF/spring-configuration-metadata.json"))) {
			try (InputStream content = file.openStream()) {
				for (JsonNode property : new JsonMapper().readTree(content).path("properties")) {
					defaults.put(property.path("name").asString(), property.path("defaultValue").asString(""));
				}
			}
		}
		return defaults;
	}

}
