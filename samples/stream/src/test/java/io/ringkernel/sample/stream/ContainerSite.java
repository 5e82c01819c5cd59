package io.ringkernel.sample.stream;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import com.github.dockerjava.api.command.InspectContainerResponse;
import org.testcontainers.containers.GenericContainer;
import org.testcontainers.containers.Network;
import org.testcontainers.containers.wait.strategy.Wait;
import org.testcontainers.images.builder.ImageFromDockerfile;
import org.testcontainers.images.builder.Transferable;

/**
 * A broker in a container, and nodes in others, each from an image that is built here:
 * the broker's from the jars on the class path, that of the nodes from the Dockerfile and
 * the packaged jar of the application.
 */
final class ContainerSite implements StreamSite {

	private static final int OUTSIDE = 9092;

	private static final String INSIDE = "broker:9093";

	private static final Duration STARTING = Duration.ofMinutes(3);

	private static final String JAR = "target/sample-stream.jar";

	/** What no broker needs. */
	private static final String OTHERS = "(ringkernel|spring|jcuda|JCuda|junit|xgboost|testcontainers|docker-java|tomcat|micrometer|prometheus).*";

	private final Network network = Network.newNetwork();

	private final ImageFromDockerfile nodes;

	private final Broker broker;

	/**
	 * Builds the images and starts the broker.
	 * @param baseImage that of both images
	 */
	ContainerSite(String baseImage) {
		this.nodes = new ImageFromDockerfile().withFileFromPath("Dockerfile", Path.of("Dockerfile"))
			.withFileFromPath(JAR, Path.of(JAR))
			.withBuildArg("BASE_IMAGE", baseImage);
		this.broker = new Broker(brokerImage(baseImage));
		this.broker.withNetwork(this.network).withNetworkAliases("broker").start();
	}

	private static ImageFromDockerfile brokerImage(String baseImage) {
		ImageFromDockerfile image = new ImageFromDockerfile().withBuildArg("BASE_IMAGE", baseImage);
		for (String file : List.of("Dockerfile", "broker.sh", "broker.properties", "logback.xml")) {
			image.withFileFromPath(file, Path.of("src/test/docker", file));
		}
		Stream.of(System.getProperty("java.class.path").split(File.pathSeparator))
			.map(Path::of)
			.filter((entry) -> entry.toString().endsWith(".jar") && !entry.getFileName().toString().matches(OTHERS))
			.forEach((jar) -> image.withFileFromPath("lib/" + jar.getFileName(), jar));
		return image;
	}

	@Override
	public String brokers() {
		return this.broker.getHost() + ":" + this.broker.getMappedPort(OUTSIDE);
	}

	@Override
	public String brokersOfNodes() {
		return INSIDE;
	}

	@Override
	public StreamNode start(String name, List<String> arguments) {
		GenericContainer<?> container = new GenericContainer<>(this.nodes).withNetwork(this.network)
			.withCommand(arguments.toArray(String[]::new))
			.waitingFor(Wait.forLogMessage(".*Started StreamApplication.*", 1).withStartupTimeout(STARTING));
		container.start();
		return new ContainerNode(container);
	}

	@Override
	public Stream<String> stored(String partition, String... options) throws IOException, InterruptedException {
		String[] command = StreamSite.dump("/kafka/lib/*", "/tmp/kafka", partition, options).toArray(String[]::new);
		return this.broker.execInContainer(command).getStdout().lines();
	}

	@Override
	public void close() {
		this.broker.close();
		this.network.close();
	}

	/**
	 * Is told where it is reached from outside, once that is known.
	 */
	private static final class Broker extends GenericContainer<Broker> {

		Broker(ImageFromDockerfile image) {
			super(image);
			withExposedPorts(OUTSIDE);
			waitingFor(Wait.forLogMessage(".*Kafka Server started.*", 1).withStartupTimeout(STARTING));
		}

		@Override
		protected void containerIsStarting(InspectContainerResponse container) {
			String advertised = "OUTSIDE://%s:%d,INSIDE://%s".formatted(getHost(), getMappedPort(OUTSIDE), INSIDE);
			String settings = BROKER_SETTINGS.entrySet()
				.stream()
				.map(Map.Entry::toString)
				.collect(Collectors.joining("\n", "advertised.listeners=" + advertised + "\n", "\n"));
			copyFileToContainer(Transferable.of(settings.getBytes(StandardCharsets.UTF_8)), "/tmp/settings.properties");
		}

	}

	/**
	 * A node in a container.
	 */
	private record ContainerNode(GenericContainer<?> container) implements StreamNode {

		@Override
		public void kill() {
			try (var command = this.container.getDockerClient().killContainerCmd(this.container.getContainerId())) {
				command.exec();
			}
		}

		@Override
		public String output() {
			return this.container.getLogs();
		}

		@Override
		public void close() {
			this.container.close();
		}

	}

}
