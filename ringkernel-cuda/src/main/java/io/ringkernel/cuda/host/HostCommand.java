package io.ringkernel.cuda.host;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.jar.JarFile;
import java.util.jar.Manifest;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.ringkernel.cuda.host.wire.HostFailureException;
import org.jspecify.annotations.Nullable;

/**
 * The command that starts a kernel host: a small JVM on the class path of this one. An
 * executable jar or war of Spring Boot is started through its own loader, which finds the
 * classes in it.
 */
final class HostCommand {

	private static final String BOOT_LAUNCHER = "org.springframework.boot.loader.launch.PropertiesLauncher";

	/** What is on the class path beside the archive. */
	private static final String LOADER_PATH = "loader.path";

	/** The loader looks by itself in a jar alone. */
	private static final String WAR_PATH = "WEB-INF/classes,WEB-INF/lib-provided,WEB-INF/lib";

	/**
	 * What an agent or an option of the application's own JVM comes from: with the port
	 * of its debugger, a second JVM does not start.
	 */
	private static final List<String> FOREIGN_OPTIONS = List.of("JAVA_TOOL_OPTIONS", "JDK_JAVA_OPTIONS",
			"_JAVA_OPTIONS");

	private static final int FIRST_TO_ASK_FOR_NATIVE_ACCESS = 22;

	/**
	 * Where the driver looks for a control daemon of NVIDIA's Multi-Process Service.
	 * Under MPS a kernel runs in the server, and may run on when its client is killed: so
	 * "the host is reaped" would not mean that its kernels have ended.
	 */
	private static final String MPS_DIRECTORY = "CUDA_MPS_PIPE_DIRECTORY";

	private static final Path DEFAULT_MPS_CONTROL = Path.of("/tmp/nvidia-mps/control");

	private HostCommand() {
	}

	static ProcessBuilder of(String mainClass, Path socket) {
		return of(System.getProperty("java.class.path"), mainClass, socket);
	}

	static ProcessBuilder of(String classPath, String mainClass, Path socket) {
		List<String> command = new ArrayList<>();
		command.add(java().toString());
		command.addAll(List.of("-cp", classPath));
		// A file of statistics would stay behind if the process is killed.
		command.addAll(List.of("-XX:-UsePerfData", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-Xshare:auto",
				"-Xms16m", "-Xmx256m", "-XX:+ExitOnOutOfMemoryError", "-XX:+ErrorFileToStderr",
				"-XX:-CreateCoredumpOnCrash"));
		// What is unpacked there goes with the host, even if that is killed.
		command.add("-Djava.io.tmpdir=" + socket.getParent());
		command.add("-Dslf4j.provider=" + HostLogging.class.getName());
		if (Runtime.version().feature() >= FIRST_TO_ASK_FOR_NATIVE_ACCESS) {
			command.add("--enable-native-access=ALL-UNNAMED");
		}
		String bootClasses = bootClasses(Path.of(classPath));
		if (bootClasses != null) {
			command.add("-Dloader.main=" + mainClass);
			String path = loaderPath(bootClasses);
			if (!path.isEmpty()) {
				command.add("-D%s=%s".formatted(LOADER_PATH, path));
			}
			command.add(BOOT_LAUNCHER);
		}
		else {
			command.add(mainClass);
		}
		command.add(socket.toString());
		ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
		FOREIGN_OPTIONS.forEach(builder.environment()::remove);
		builder.environment().put(MPS_DIRECTORY, String.valueOf(socket.getParent()));
		return builder;
	}

	/** Whether the driver of this process would be a client of MPS. */
	static boolean isServedByMps(Map<String, String> environment) {
		String directory = environment.get(MPS_DIRECTORY);
		return Files.exists((directory != null) ? Path.of(directory, "control") : DEFAULT_MPS_CONTROL);
	}

	/**
	 * Why no host can be started from this process: a clause; {@code null} if one can.
	 */
	static @Nullable String obstacle() {
		String system = System.getProperty("os.name");
		if (!system.startsWith("Linux")) {
			return "a kernel host is started under Linux only, and this is " + system;
		}
		// An image of GraalVM has no home, and a runtime of jlink may have no launcher.
		return (System.getProperty("java.home") != null && Files.isExecutable(java())) ? null
				: "this process has no command to start a JVM with";
	}

	private static Path java() {
		return Path.of(System.getProperty("java.home"), "bin", "java");
	}

	private static String loaderPath(String bootClasses) {
		return Stream.of(bootClasses.startsWith("WEB-INF") ? WAR_PATH : "", System.getProperty(LOADER_PATH, ""))
			.filter(Predicate.not(String::isEmpty))
			.collect(Collectors.joining(","));
	}

	/**
	 * The folder of the classes in an executable archive of Spring Boot, if it is one.
	 */
	private static @Nullable String bootClasses(Path classPath) {
		if (!Files.isRegularFile(classPath)) {
			return null;
		}
		try (JarFile jar = new JarFile(classPath.toFile())) {
			Manifest manifest = jar.getManifest();
			return (manifest != null) ? manifest.getMainAttributes().getValue("Spring-Boot-Classes") : null;
		}
		catch (IOException ex) {
			throw new HostFailureException("The class path %s cannot be read: %s".formatted(classPath, ex));
		}
	}

}
