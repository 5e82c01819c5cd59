package io.ringkernel.sample.readme;

import java.io.File;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Iterator;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * A {@code curl} command of a page, run as it stands where there is a curl, and by the
 * client of the JDK where there is none; only the port is another one.
 *
 * @param text the command
 */
record CurlCommand(String text) {

	private static final String PAGE_ADDRESS = "localhost:8080";

	private static final Pattern ARGUMENT = Pattern.compile("'([^']*)'|(\\S+)");

	String run(int port) throws IOException, InterruptedException {
		String command = this.text.replace(PAGE_ADDRESS, "localhost:" + port);
		return hasCurl() ? runInShell(command) : runInJava(command);
	}

	boolean isActuator() {
		return this.text.contains("/actuator/");
	}

	private static boolean hasCurl() {
		return Stream.of(System.getenv("PATH").split(File.pathSeparator))
			.anyMatch((folder) -> Files.isExecutable(Path.of(folder, "curl")));
	}

	private static String runInShell(String command) throws IOException, InterruptedException {
		Process process = new ProcessBuilder("bash", "-c", command).redirectError(ProcessBuilder.Redirect.INHERIT)
			.start();
		String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
		if (process.waitFor() != 0) {
			throw new IOException("%s ended with %d".formatted(command, process.exitValue()));
		}
		return output;
	}

	static String runInJava(String command) throws IOException, InterruptedException {
		List<String> arguments = ARGUMENT.matcher(command).results().map(CurlCommand::unquoted).toList();
		HttpRequest.Builder request = HttpRequest.newBuilder();
		for (Iterator<String> rest = arguments.listIterator(1); rest.hasNext();) {
			String argument = rest.next();
			switch (argument) {
				case "-s", "-sf" -> {
				}
				case "-H" -> request.headers(rest.next().split(": ", 2));
				case "-d" -> request.POST(HttpRequest.BodyPublishers.ofString(rest.next()));
				default -> request.uri(URI.create("http://" + argument));
			}
		}
		return HttpClient.newHttpClient().send(request.build(), HttpResponse.BodyHandlers.ofString()).body();
	}

	private static String unquoted(MatchResult argument) {
		return (argument.group(1) != null) ? argument.group(1) : argument.group(2);
	}

}
