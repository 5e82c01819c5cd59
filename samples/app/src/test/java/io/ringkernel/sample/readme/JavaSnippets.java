package io.ringkernel.sample.readme;

import java.io.IOException;
import java.net.URI;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import javax.tools.DiagnosticCollector;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Java files of a page, compiled with the strictness of the product.
 */
final class JavaSnippets {

	private static final Pattern TOP_LEVEL_CLASS = Pattern.compile("^(?:public )?(?:class|record|interface) (\\w+)",
			Pattern.MULTILINE);

	private JavaSnippets() {
	}

	static ClassLoader compile(List<String> sources, Path classes) throws IOException {
		List<JavaFileObject> files = new ArrayList<>();
		for (String source : sources) {
			files.add(new Source(fileOf(source), source));
		}
		JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
		DiagnosticCollector<JavaFileObject> diagnostics = new DiagnosticCollector<>();
		compiler
			.getTask(null, null, diagnostics,
					List.of("-d", classes.toString(), "-classpath", System.getProperty("java.class.path"),
							"-parameters", "-proc:none", "-Xlint:all,-path,-serial,-options"),
					null, files)
			.call();
		assertThat(diagnostics.getDiagnostics()).isEmpty();
		return new URLClassLoader(new URL[] { classes.toUri().toURL() }, JavaSnippets.class.getClassLoader());
	}

	private static URI fileOf(String source) {
		Matcher type = TOP_LEVEL_CLASS.matcher(source);
		assertThat(type.find()).isTrue();
		return URI.create("memory:///%s.java".formatted(type.group(1)));
	}

	private static final class Source extends SimpleJavaFileObject {

		private final String content;

		private Source(URI uri, String content) {
			super(uri, Kind.SOURCE);
			this.content = content;
		}

		@Override
		public CharSequence getCharContent(boolean ignoreEncodingErrors) {
			return this.content;
		}

	}

}
