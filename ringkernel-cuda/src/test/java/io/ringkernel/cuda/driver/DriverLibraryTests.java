package io.ringkernel.cuda.driver;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

class DriverLibraryTests {

	@TempDir
	private Path root;

	private Path folder;

	@BeforeEach
	void mountTheFolderOfWindows() throws IOException {
		this.folder = Files.createDirectories(this.root.resolve("usr/lib/wsl/lib"));
	}

	@Test
	void theLinkerIsLeftAloneWhereThereIsNoSuchLibrary() {
		assertThat(DriverLibrary.outsideOf(this.root, Map.of())).isEmpty();
	}

	@Test
	void theLibraryOfWindowsIsFoundWithoutALibraryPath() throws IOException {
		Path library = Files.createFile(this.folder.resolve("libcuda.so.1"));
		assertThat(DriverLibrary.outsideOf(this.root, Map.of())).contains(library);
		assertThat(DriverLibrary.outsideOf(this.root, Map.of("LD_LIBRARY_PATH", ":/nowhere"))).contains(library);
	}

	@Test
	void aLibraryPathThatLeadsToADriverIsLeftInForce() throws IOException {
		Files.createFile(this.folder.resolve("libcuda.so.1"));
		Path own = Files.createDirectory(this.root.resolve("own"));
		Files.createFile(own.resolve("libcuda.so.1"));
		assertThat(DriverLibrary.outsideOf(this.root, Map.of("LD_LIBRARY_PATH", "/nowhere:" + own))).isEmpty();
	}

	@Test
	void aDriverIsInstalledWhereTheLinkerFindsIt() throws IOException {
		assertThat(DriverLibrary.isInstalled(this.root, Map.of())).isFalse();
		Path own = Files.createDirectory(this.root.resolve("own"));
		Files.createFile(own.resolve("libcuda.so.1"));
		assertThat(DriverLibrary.isInstalled(this.root, Map.of("LD_LIBRARY_PATH", own.toString()))).isTrue();
		Files.createFile(this.folder.resolve("libcuda.so.1"));
		assertThat(DriverLibrary.isInstalled(this.root, Map.of())).isTrue();
	}

	@Test
	void theCacheOfTheLinkerNamesWhatLiesElsewhere() throws IOException {
		Path cache = Files.createDirectory(this.root.resolve("etc")).resolve("ld.so.cache");
		Files.writeString(cache, "\0/opt/a/libcudart.so.12\0");
		assertThat(DriverLibrary.isInstalled(this.root, Map.of())).isFalse();
		Files.writeString(cache, "\0libcuda.so.1\0/opt/driver/libcuda.so.1\0");
		assertThat(DriverLibrary.isInstalled(this.root, Map.of())).isTrue();
	}

}
