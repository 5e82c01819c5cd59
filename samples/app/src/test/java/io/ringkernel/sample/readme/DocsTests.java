package io.ringkernel.sample.readme;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.micrometer.core.instrument.MeterRegistry;
import io.ringkernel.sample.SampleApplication;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.core.io.DefaultResourceLoader;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Runs what the pages of {@code docs} show. A block with the name of a file before it is
 * a part of that file; {@code curl} is run, against the sample or, where the page says
 * so, against the project of {@code docs/first-kernel}. {@link CommandsTests} looks at
 * the other commands.
 */
class DocsTests {

	private static final Path ROOT = Path.of("..", "..");

	private static final Path DOCS = ROOT.resolve("docs");

	private static final String FIRST_KERNEL = "first-kernel";

	private static final Pattern LINK = Pattern.compile("\\[[^\\]]+\\]\\((?!https?:)([^)#]*)(?:#([^)]+))?\\)");

	private static final Pattern CLASS = Pattern.compile("`([A-Z][a-z][A-Za-z]+)(?:\\.[a-z]\\w*)?`");

	private static final Set<String> NAMED_OF_OTHERS = Set.of("AbstractFailureAnalyzer", "OutOfMemoryError",
			"StrictMath");

	private static final Pattern NAME = Pattern.compile("`(ringkernel\\.[a-z.-]+[a-z])`");

	static List<Path> pages() throws IOException {
		try (Stream<Path> files = Files.list(DOCS)) {
			return files.filter((file) -> file.toString().endsWith(".md")).sorted().toList();
		}
	}

	@ParameterizedTest
	@MethodSource("pages")
	void everySnippetIsPartOfAFileOrACommand(Path page) throws IOException {
		List<MarkdownBlock> blocks = MarkdownBlock.of(page);
		for (MarkdownBlock block : blocks) {
			if (isPartOfFile(block)) {
				assertThat(Files.readString(ROOT.resolve(block.mark()))).as(block.mark()).contains(block.text());
			}
			else if (block.language().equals("json")) {
				assertThat(blocks.get(blocks.indexOf(block) - 1).isCurl()).as(block.text()).isTrue();
			}
			else {
				assertThat(block.isCommand()).as(block.text()).isTrue();
				assertThat(block.text().lines()).hasSize(1);
			}
		}
	}

	private static boolean isPartOfFile(MarkdownBlock block) {
		return block.mark().contains("/");
	}

	@ParameterizedTest
	@MethodSource("pages")
	void everyLinkLeadsSomewhere(Path page) throws IOException {
		LINK.matcher(Files.readString(page)).results().forEach((link) -> {
			Path target = link.group(1).isEmpty() ? page : page.resolveSibling(link.group(1));
			assertThat(target).exists();
			if (link.group(2) != null) {
				assertThat(anchors(target)).as("%s of %s", link.group(2), target).contains(link.group(2));
			}
		});
	}

	@ParameterizedTest
	@ValueSource(strings = { "architecture.md", "protocol.md", "kernel-host.md" })
	void everyClassThatIsNamedIsOneOfThisBuild(String page) throws IOException {
		Set<String> known = classes();
		List<String> named = CLASS.matcher(Files.readString(DOCS.resolve(page)))
			.results()
			.map((match) -> match.group(1))
			.filter((name) -> !NAMED_OF_OTHERS.contains(name))
			.toList();
		assertThat(named).hasSizeGreaterThan(10).allSatisfy((name) -> assertThat(known).contains(name));
	}

	private static Set<String> classes() throws IOException {
		try (Stream<Path> files = Files.find(ROOT, 20,
				(file, attributes) -> file.toString().endsWith(".java") && file.toString().contains("/src/"))) {
			return files.map((file) -> file.getFileName().toString().replace(".java", "")).collect(Collectors.toSet());
		}
	}

	private static Set<String> anchors(Path page) {
		try (Stream<String> lines = Files.lines(page)) {
			return lines.filter((line) -> line.startsWith("#"))
				.map((line) -> line.replaceFirst("^#+ ", "")
					.toLowerCase()
					.replaceAll("[^a-z0-9 -]", "")
					.replace(' ', '-'))
				.collect(Collectors.toSet());
		}
		catch (IOException ex) {
			throw new IllegalStateException(ex);
		}
	}

	@Test
	void indexNamesEveryPage() throws IOException {
		String index = Files.readString(DOCS.resolve("README.md"));
		assertThat(pages()).filteredOn((page) -> !page.endsWith("README.md"))
			.hasSizeGreaterThanOrEqualTo(10)
			.allMatch((page) -> index.contains("(%s)".formatted(page.getFileName())));
	}

	@Test
	void gradleNamesArtifactsAndVersionOfThisBuild() throws IOException {
		String pom = Files.readString(ROOT.resolve("pom.xml"));
		Matcher version = Pattern.compile("<artifactId>ringkernel-parent</artifactId>\\s*<version>([^<]+)<")
			.matcher(pom);
		assertThat(version.find()).isTrue();
		List<String[]> coordinates = Pattern.compile("\"io\\.ringkernel:([^\"]+)\"")
			.matcher(Files.readString(DOCS.resolve("kotlin/build.gradle.kts")))
			.results()
			.map((artifact) -> artifact.group(1).split(":"))
			.toList();
		assertThat(coordinates).hasSize(3)
			.allSatisfy((artifact) -> assertThat(pom).contains("<module>" + artifact[0] + "</module>"))
			.filteredOn((artifact) -> artifact.length > 1)
			.singleElement()
			.isEqualTo(new String[] { "ringkernel-bom", version.group(1) });
	}

	@Test
	void mavenCommandsNameModulesAndGoalsOfThisBuild() throws IOException {
		for (Path page : pages()) {
			MarkdownBlock.of(page)
				.stream()
				.filter(MarkdownBlock::isMaven)
				.forEach((block) -> MavenCommand.of(block.text()).assertRunsIn(ROOT));
		}
	}

	@Test
	void sampleAnswersAsShownAndHasWhatIsNamed() throws Exception {
		try (ConfigurableApplicationContext sample = new SpringApplicationBuilder(SampleApplication.class)
			.run("--server.port=0", "--ringkernel.backend=cpu", "--spring.profiles.active=dev")) {
			assertThat(assertAnswers(sample, "")).isGreaterThanOrEqualTo(4);
			assertNamesExist(sample.getBean(MeterRegistry.class));
		}
	}

	/**
	 * What looks like a property or a metric is one.
	 */
	private static void assertNamesExist(MeterRegistry registry) throws IOException {
		Set<String> known = registry.getMeters()
			.stream()
			.map((meter) -> meter.getId().getName())
			.collect(Collectors.toSet());
		known.addAll(ConfigurationMetadata.defaultsByName().keySet());
		known.add("ringkernel.defaults");
		// Of ringkernel-models, which the sample does not have.
		known.add("ringkernel.models");
		// Of ringkernel-spring-ai, likewise.
		known.add("ringkernel.embedding.truncated");
		// Of kernels on a device only, which is not there.
		known.add("ringkernel.device.request");
		// Of kernel hosts only.
		known.addAll(Set.of("ringkernel.host.restarts", "ringkernel.host.outage", "ringkernel.host.quarantined"));
		// An observation, which metrics alone do not make.
		known.add("ringkernel.client");
		for (Path page : pages()) {
			assertThat(NAME.matcher(Files.readString(page)).results().map((name) -> name.group(1))).as(page.toString())
				.isSubsetOf(known);
		}
	}

	@Test
	void firstKernelAnswersAsShown(@TempDir Path classes) throws Exception {
		Path project = DOCS.resolve("first-kernel/src/main");
		List<String> sources = new ArrayList<>();
		try (Stream<Path> files = Files.list(project.resolve("java/com/example"))) {
			for (Path file : files.toList()) {
				sources.add(Files.readString(file));
			}
		}
		ClassLoader loader = JavaSnippets.compile(sources, classes);
		Class<?> application = loader.loadClass("com.example.FirstKernelApplication");
		try (ConfigurableApplicationContext example = new SpringApplicationBuilder(new DefaultResourceLoader(loader),
				application)
			.run("--server.port=0", "--spring.config.location=" + project.resolve("resources/application.yml").toUri(),
					"--ringkernel.backend=cpu")) {
			assertThat(assertAnswers(example, FIRST_KERNEL)).isEqualTo(1);
		}
	}

	/**
	 * Runs the commands with a mark, and returns how many they are.
	 */
	private static int assertAnswers(ConfigurableApplicationContext application, String mark) throws Exception {
		int port = application.getEnvironment().getRequiredProperty("local.server.port", Integer.class);
		int count = 0;
		for (Path page : pages()) {
			List<MarkdownBlock> blocks = MarkdownBlock.of(page);
			for (MarkdownBlock block : blocks) {
				if (block.isCurl() && block.mark().equals(mark)) {
					CurlCommand command = new CurlCommand(block.text());
					String shown = blocks.get(blocks.indexOf(block) + 1).text();
					new ShownJson(shown, command.isActuator()).assertPartOf(command.run(port));
					count++;
				}
			}
		}
		return count;
	}

}
