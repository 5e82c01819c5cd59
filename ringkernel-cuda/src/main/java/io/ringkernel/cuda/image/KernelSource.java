package io.ringkernel.cuda.image;

import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.NoSuchFileException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import io.ringkernel.cuda.codegen.MessageHeader;
import io.ringkernel.cuda.nvrtc.Nvrtc;
import org.jspecify.annotations.Nullable;

/**
 * The source of a kernel in CUDA C++, with the headers that it includes, by what it calls
 * them: those of RingKernel, the one of its messages, and those that lie beside it.
 */
record KernelSource(String name, String text, Map<String, String> headers) {

	static final String EXTENSION = ".cu";

	/** Those of a process, and some that were changed meanwhile. */
	private static final int KEPT = 64;

	private static final Map<KernelSource, String> IMAGES = new LinkedHashMap<>(16, 0.75f, true) {

		private static final long serialVersionUID = 1;

		@Override
		protected boolean removeEldestEntry(Map.Entry<KernelSource, String> eldest) {
			return size() > KEPT;
		}

	};

	private static final String MESSAGES = "_messages.cuh";

	private static final String CLASSPATH = "classpath:";

	/** In the jar: what the library brings, and what stands for standard headers. */
	private static final List<String> LIBRARY = List.of("/META-INF/ringkernel/include/",
			"/io/ringkernel/cuda/nvrtc/include/");

	private static final List<String> OPTIONS = List.of("--std=c++17", "--gpu-architecture=" + PtxText.ARCHITECTURE,
			"--relocatable-device-code=true", "--device-as-default-execution-space");

	private static final Pattern INCLUDE = Pattern.compile("(?m)^\\s*#\\s*include\\s*[<\"]([^>\"]+)[>\"]");

	/**
	 * Reads a source and what it includes, if there is one. A header that is not found is
	 * left to the compiler.
	 * @param messages the records of its requests and responses
	 */
	static @Nullable KernelSource read(String location, List<Class<? extends Record>> messages,
			ModuleImage.Source opener) throws IOException {
		String text = text(opener.open(location));
		if (text == null) {
			return null;
		}
		String name = location.substring(location.lastIndexOf('/') + 1);
		Reader reader = new Reader(name, messages, opener);
		reader.include(text, location);
		return new KernelSource(name, text, reader.headers);
	}

	private static @Nullable String text(@Nullable InputStream opened) throws IOException {
		try (InputStream in = opened) {
			return (in != null) ? new String(in.readAllBytes(), StandardCharsets.UTF_8) : null;
		}
	}

	/**
	 * Its image, compiled once: a kernel is checked, loaded and launched again with the
	 * same.
	 * @throws io.ringkernel.exception.RingKernelException if there is no NVRTC, or it
	 * refuses the source
	 */
	String image() {
		synchronized (IMAGES) {
			return IMAGES.computeIfAbsent(this, (key) -> key.compile(Nvrtc.ofSystem()));
		}
	}

	String compile(Nvrtc compiler) {
		return PtxText.lowered(compiler.compile(this.name, this.text, this.headers, OPTIONS));
	}

	/** Collects headers. */
	private static final class Reader {

		private final Map<String, String> headers = new LinkedHashMap<>();

		private final String messageHeader;

		private final List<Class<? extends Record>> messages;

		private final ModuleImage.Source opener;

		Reader(String name, List<Class<? extends Record>> messages, ModuleImage.Source opener) {
			this.messageHeader = name.substring(0, name.length() - EXTENSION.length()) + MESSAGES;
			this.messages = messages;
			this.opener = opener;
		}

		/** Collects what a text at a location includes, and what that does. */
		void include(String text, String location) throws IOException {
			Matcher include = INCLUDE.matcher(text);
			while (include.find()) {
				String name = include.group(1);
				if (!this.headers.containsKey(name)) {
					add(name, beside(location, name));
				}
			}
		}

		private void add(String name, String location) throws IOException {
			for (String folder : LIBRARY) {
				String ofLibrary = text(KernelSource.class.getResourceAsStream(folder + name));
				if (ofLibrary != null) {
					add(name, ofLibrary, location);
					return;
				}
			}
			String own = own(location);
			if (own == null && name.equals(this.messageHeader)) {
				own = MessageHeader.of(this.messages);
			}
			if (own != null) {
				add(name, own, location);
			}
		}

		private void add(String name, String text, String location) throws IOException {
			this.headers.put(name, text);
			include(text, location);
		}

		private @Nullable String own(String location) throws IOException {
			try {
				return text(this.opener.open(location));
			}
			catch (NoSuchFileException ex) {
				return null;
			}
		}

		/** Where a file is that a file names. */
		private static String beside(String location, String name) {
			if (location.startsWith(CLASSPATH)) {
				String path = location.substring(CLASSPATH.length());
				URI base = URI.create(path.startsWith("/") ? path : "/" + path);
				return CLASSPATH + base.resolve(name).getPath();
			}
			return location.substring(0, location.lastIndexOf('/') + 1) + name;
		}

	}

}
