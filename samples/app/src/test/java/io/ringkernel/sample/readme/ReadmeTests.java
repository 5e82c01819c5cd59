package io.ringkernel.sample.readme;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.ringkernel.sample.SampleApplication;
import io.ringkernel.spring.boot.autoconfigure.RingKernelProperties;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.context.properties.bind.BindHandler;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.bind.handler.NoUnboundElementsBindHandler;
import org.springframework.boot.context.properties.source.ConfigurationPropertySources;
import org.springframework.boot.env.YamlPropertySourceLoader;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.core.env.EnumerablePropertySource;
import org.springframework.core.io.ByteArrayResource;
import org.springframework.core.io.DefaultResourceLoader;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Runs what {@code README.md} shows.
 */
class ReadmeTests {

	private static final Path README = Path.of("..", "..", "README.md");

	private static final Path PROPERTIES = Path.of("..", "..", "docs", "properties.md");

	private static final String STARTER_SECTION = "Use it in your application";

	/** What every application has, so that the page need not show it. */
	private static final String MAIN_CLASS = """
			package com.example;

			@org.springframework.boot.autoconfigure.SpringBootApplication
			class ExampleApplication {
			}
			""";

	private static List<MarkdownBlock> blocks;

	@BeforeAll
	static void parse() throws Exception {
		blocks = MarkdownBlock.of(README);
	}

	@Test
	void everyBlockIsOfAKindThatIsTested() {
		assertThat(blocks).extracting(MarkdownBlock::language).containsOnly("bash", "json", "java", "yaml", "xml");
		assertThat(blocks).filteredOn((block) -> block.language().equals("bash"))
			.allMatch((block) -> (block.isCurl() || block.isMaven()) && block.text().lines().count() == 1);
		assertThat(blocks).filteredOn((block) -> block.language().equals("json"))
			.allMatch((block) -> blocks.get(blocks.indexOf(block) - 1).isCurl());
		assertThat(blocks).filteredOn(MarkdownBlock::isCurl)
			.allMatch((block) -> blocks.get(blocks.indexOf(block) + 1).language().equals("json"));
	}

	@Test
	void sampleAnswersAsShown() throws Exception {
		try (ConfigurableApplicationContext sample = new SpringApplicationBuilder(SampleApplication.class)
			.run("--server.port=0", "--ringkernel.backend=cpu", "--spring.profiles.active=dev")) {
			assertAnswers(sample, (block) -> !block.section().equals(STARTER_SECTION), 1);
		}
	}

	@Test
	void applicationOfTheFilesShownAnswersAsShown(@TempDir Path classes) throws Exception {
		Files.writeString(classes.resolve("application.yml"), only("yaml").text());
		ClassLoader loader = JavaSnippets.compile(exampleSources(), classes);
		Class<?> application = loader.loadClass("com.example.ExampleApplication");
		try (ConfigurableApplicationContext example = new SpringApplicationBuilder(new DefaultResourceLoader(loader),
				application)
			.run("--server.port=0", "--spring.config.location=" + classes.resolve("application.yml").toUri())) {
			assertAnswers(example, (block) -> block.section().equals(STARTER_SECTION), 1);
			assertThat(new CurlCommand("curl -s localhost:8080/actuator/health").run(port(example)))
				.contains("\"dot-product\":{\"details\"");
		}
	}

	private static List<String> exampleSources() {
		return Stream
			.concat(Stream.of(MAIN_CLASS),
					blocks.stream().filter((block) -> block.language().equals("java")).map(MarkdownBlock::text))
			.toList();
	}

	private static void assertAnswers(ConfigurableApplicationContext application, Predicate<MarkdownBlock> part,
			int count) throws Exception {
		List<MarkdownBlock> commands = blocks.stream().filter(MarkdownBlock::isCurl).filter(part).toList();
		assertThat(commands).hasSize(count);
		for (MarkdownBlock block : commands) {
			CurlCommand command = new CurlCommand(block.text());
			String shown = blocks.get(blocks.indexOf(block) + 1).text();
			new ShownJson(shown, command.isActuator()).assertPartOf(command.run(port(application)));
		}
	}

	@Test
	void commandsRunWithoutCurlToo() throws Exception {
		try (ConfigurableApplicationContext sample = new SpringApplicationBuilder(SampleApplication.class)
			.run("--server.port=0")) {
			String command = marked("try").text().replace("localhost:8080", "localhost:" + port(sample));
			assertThat(CurlCommand.runInJava(command)).isEqualTo("{\"sum\":[11.0,22.0,33.0]}");
		}
	}

	@Test
	void yamlHasNoKeyThatNobodyReads() throws Exception {
		EnumerablePropertySource<?> yaml = (EnumerablePropertySource<?>) new YamlPropertySourceLoader()
			.load("readme", new ByteArrayResource(only("yaml").text().getBytes()))
			.get(0);
		new Binder(ConfigurationPropertySources.from(yaml)).bind("ringkernel", Bindable.of(RingKernelProperties.class),
				new NoUnboundElementsBindHandler(BindHandler.DEFAULT));
		assertThat(Stream.of(yaml.getPropertyNames()).filter((name) -> !name.startsWith("ringkernel.kernels.")))
			.isNotEmpty()
			.isSubsetOf(ConfigurationMetadata.defaultsByName().keySet());
	}

	@Test
	void tableHasEveryPropertyWithItsDefault() throws Exception {
		Map<String, String> rows = Pattern.compile("^\\| `([a-z.-]+)` \\| `(.+?)` \\|", Pattern.MULTILINE)
			.matcher(Files.readString(PROPERTIES))
			.results()
			.collect(Collectors.toMap((row) -> row.group(1), (row) -> row.group(2)));
		Map<String, String> declared = new TreeMap<>(ConfigurationMetadata.defaultsByName());
		declared.keySet()
			.removeIf((name) -> !(name.startsWith("ringkernel.") || name.startsWith("management.health.ringkernel.")));
		declared.remove("ringkernel.kernels");
		declared.remove("ringkernel.defaults.image");
		declared.remove("ringkernel.defaults.devices");
		declared.remove("ringkernel.defaults.snapshot-directory");
		declared.remove("ringkernel.defaults.consumers");
		declared.remove("ringkernel.host.directory");
		assertThat(rows).containsExactlyInAnyOrderEntriesOf(declared);
	}

	@Test
	void dependencyIsTheStarterOfThisBuild() throws Exception {
		String starter = Files.readString(Path.of("..", "..", "ringkernel-spring-boot-starter", "pom.xml"));
		assertThat(only("xml", STARTER_SECTION).text().lines().map(String::strip)).hasSize(5)
			.filteredOn((line) -> !line.contains("dependency>"))
			.allMatch(starter::contains);
	}

	@Test
	void isReadAtOneSitting() throws Exception {
		assertThat(Files.readAllLines(README)).hasSizeLessThanOrEqualTo(200);
	}

	@Test
	void mavenCommandsNameModulesAndGoalsOfThisBuild() throws Exception {
		List<MarkdownBlock> commands = new ArrayList<>(blocks);
		commands.addAll(MarkdownBlock.of(Path.of("..", "..", "CONTRIBUTING.md")));
		commands.removeIf((block) -> !block.isMaven());
		assertThat(commands).hasSize(7)
			.allSatisfy((block) -> MavenCommand.of(block.text()).assertRunsIn(Path.of("..", "..")));
	}

	@Test
	void marksTheCommandsOfContinuousIntegration() {
		assertThat(marked("run").text()).endsWith("spring-boot:run");
		assertThat(marked("run-search").text()).endsWith("spring-boot:run");
		assertThat(marked("try").text()).startsWith("curl -sf ");
		assertThat(marked("test").text()).isEqualTo("./mvnw verify");
		assertThat(marked("test-every-platform").text()).isEqualTo("./mvnw verify -Pevery-platform");
	}

	private static MarkdownBlock only(String language, String section) {
		List<MarkdownBlock> found = blocks.stream()
			.filter((block) -> block.language().equals(language) && block.section().equals(section))
			.toList();
		assertThat(found).hasSize(1);
		return found.get(0);
	}

	private static MarkdownBlock only(String language) {
		List<MarkdownBlock> found = blocks.stream().filter((block) -> block.language().equals(language)).toList();
		assertThat(found).hasSize(1);
		return found.get(0);
	}

	private static MarkdownBlock marked(String mark) {
		List<MarkdownBlock> found = blocks.stream().filter((block) -> block.mark().equals(mark)).toList();
		assertThat(found).hasSize(1);
		return found.get(0);
	}

	private static int port(ConfigurableApplicationContext application) {
		return application.getEnvironment().getRequiredProperty("local.server.port", Integer.class);
	}

}
