package io.ringkernel.cuda.probe;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * What the platform says of itself. It decides nothing: what the driver was seen to do
 * does. It explains that, and says where to look for the driver.
 *
 * @param name the platform: {@code Linux}, {@code WSL2}, {@code Windows (WDDM or TCC)}
 * and so on, and whether it is a container
 * @param signs what gave it away
 * @param wsl whether it is Linux under Windows
 * @since 0.2.0
 */
public record PlatformHints(String name, List<String> signs, boolean wsl) {

	private static final List<String> WSL_VARIABLES = List.of("WSL_DISTRO_NAME", "WSL_INTEROP");

	public static PlatformHints system() {
		return read(Path.of("/"), System.getenv(), System.getProperty("os.name"));
	}

	/** Reads the hints below a root of the file system. */
	static PlatformHints read(Path root, Map<String, String> environment, String os) {
		List<String> signs = new ArrayList<>();
		if (os.startsWith("Windows")) {
			return new PlatformHints("Windows", List.of("os.name '%s'".formatted(os)), false);
		}
		String release = firstLine(root.resolve("proc/sys/kernel/osrelease"));
		if (release.toLowerCase(Locale.ROOT).contains("microsoft") || release.contains("WSL")) {
			signs.add("kernel release '%s'".formatted(release));
		}
		if (Files.exists(root.resolve("dev/dxg"))) {
			signs.add("device /dev/dxg");
		}
		WSL_VARIABLES.stream().filter(environment::containsKey).forEach((name) -> signs.add("variable " + name));
		boolean wsl = !signs.isEmpty();
		String name = wsl ? "WSL2" : os;
		if (isContainer(root, environment)) {
			name += ", in a container";
		}
		return new PlatformHints(name, signs, wsl);
	}

	private static boolean isContainer(Path root, Map<String, String> environment) {
		return Files.exists(root.resolve(".dockerenv")) || Files.exists(root.resolve("run/.containerenv"))
				|| environment.containsKey("KUBERNETES_SERVICE_HOST");
	}

	private static String firstLine(Path file) {
		try {
			return Files.readString(file).lines().findFirst().orElse("");
		}
		catch (IOException ex) {
			// Not Linux, or not to be read: then it says nothing.
			return "";
		}
	}

	String describe() {
		return this.signs.isEmpty() ? this.name : this.name + " (" + String.join(", ", this.signs) + ")";
	}

}
