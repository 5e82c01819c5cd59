package io.ringkernel.cuda.driver;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link LoadFailure}.
 */
class LoadFailureTests {

	private static final String NO_LIBRARY = "libcuda.so.1: cannot open shared object file: No such file or directory";

	@Test
	void aMissingDriverIsToBeInstalled() {
		LoadFailure failure = LoadFailure.of(message(error(NO_LIBRARY)), false);
		assertThat(failure.reason()).isEqualTo("no CUDA driver is installed");
		assertThat(failure.remedy()).contains("Install the NVIDIA driver");
	}

	@Test
	void aDriverThatIsThereAndCannotBeLoadedIsNotMissing() {
		String words = "libcuda.so.1: file too short";
		LoadFailure failure = LoadFailure.of(message(error(words)), true);
		assertThat(failure.reason()).startsWith("the CUDA driver cannot be loaded").endsWith(words);
		assertThat(failure.remedy()).contains("NVIDIA driver").doesNotContain("java.io.tmpdir");
	}

	@Test
	void aDriverThatOnlyTheLinkerDoesNotFindIsNotMissing() {
		LoadFailure failure = LoadFailure.of(message(error(NO_LIBRARY)), true);
		assertThat(failure.reason()).startsWith("the CUDA driver cannot be loaded").endsWith(NO_LIBRARY);
	}

	@Test
	void theLinkersWordsAreKept() {
		String words = "failed to map segment from shared object";
		LoadFailure failure = LoadFailure.of(message(error(words)), true);
		assertThat(failure.reason()).startsWith("JCuda's native library cannot be loaded").endsWith(words);
		assertThat(failure.remedy()).contains("java.io.tmpdir");
	}

	@Test
	void deniedNativeAccessIsToBeEnabled() {
		String words = "Illegal native access from an unnamed module (file:/jcuda-12.6.0.jar)";
		LoadFailure failure = LoadFailure.of(message("java.lang.IllegalCallerException: " + words), true);
		assertThat(failure.reason()).contains("denied").endsWith(words);
		assertThat(failure.remedy()).contains("--enable-native-access=ALL-UNNAMED");
	}

	@Test
	void aMessageOfAnotherShapeIsKeptWhole() {
		assertThat(LoadFailure.of("jcuda.driver.JCudaDriver", true).reason()).endsWith("jcuda.driver.JCudaDriver");
	}

	private static String error(String words) {
		return "java.lang.UnsatisfiedLinkError: /tmp/libJCudaDriver-12.6.0-linux-x86_64.so: " + words;
	}

	/** As JCuda puts it together. */
	private static String message(String second) {
		return """
				Error while loading native library "JCudaDriver-12.6.0-linux-x86_64"
				Operating system name: Linux
				---(start of nested stack traces)---
				Stack trace from the attempt to load the library as a file:
				java.lang.UnsatisfiedLinkError: no JCudaDriver-12.6.0-linux-x86_64 in java.library.path: /lib
				\tat java.base/java.lang.ClassLoader.loadLibrary(ClassLoader.java:2434)
				Stack trace from the attempt to load the library as a resource:
				%s
				\tat java.base/java.lang.System.load(System.java:1970)
				---(end of nested stack traces)---
				""".formatted(second);
	}

}
