package io.ringkernel.message;

import java.lang.module.Configuration;
import java.lang.module.ModuleFinder;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

import javax.tools.ToolProvider;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Records that are compiled by the test, so that they live in a module or a class loader
 * of their own.
 */
final class CompiledClasses {

	private CompiledClasses() {
	}

	/**
	 * Returns a record of a named module that opens nothing.
	 */
	static Class<? extends Record> module(Path directory, String module, String name) throws Exception {
		Path descriptor = Files.writeString(directory.resolve("module-info.java"), "module " + module + " {}");
		compile(directory, descriptor, source(directory, module, name));
		Configuration configuration = ModuleLayer.boot()
			.configuration()
			.resolve(ModuleFinder.of(directory), ModuleFinder.of(), Set.of(module));
		ModuleLayer layer = ModuleLayer.boot()
			.defineModulesWithOneLoader(configuration, ClassLoader.getSystemClassLoader());
		return layer.findLoader(module).loadClass(module + "." + name).asSubclass(Record.class);
	}

	/**
	 * Returns a loader for one record.
	 */
	static URLClassLoader loader(Path directory, String packageName, String name) throws Exception {
		compile(directory, source(directory, packageName, name));
		return new URLClassLoader(new URL[] { directory.toUri().toURL() }, CompiledClasses.class.getClassLoader());
	}

	/**
	 * Returns the records that a source of the unnamed package declares.
	 */
	static List<Class<? extends Record>> records(Path directory, String source, String... names) throws Exception {
		compile(directory, Files.writeString(directory.resolve("Records.java"), source));
		URLClassLoader loader = new URLClassLoader(new URL[] { directory.toUri().toURL() },
				CompiledClasses.class.getClassLoader());
		List<Class<? extends Record>> records = new ArrayList<>();
		for (String name : names) {
			records.add(loader.loadClass(name).asSubclass(Record.class));
		}
		return records;
	}

	private static Path source(Path directory, String packageName, String name) throws Exception {
		Path folder = Files.createDirectories(directory.resolve(packageName));
		return Files.writeString(folder.resolve(name + ".java"), """
				package %s;
				public record %s(int a, Inner inner, Kind kind) {
					public record Inner(long b) {}
					public enum Kind { ONE }
					public static Record sample() { return new %2$s(1, new Inner(2), Kind.ONE); }
				}
				""".formatted(packageName, name));
	}

	private static void compile(Path directory, Path... sources) {
		String[] arguments = new String[sources.length + 2];
		arguments[0] = "-d";
		arguments[1] = directory.toString();
		for (int i = 0; i < sources.length; i++) {
			arguments[i + 2] = sources[i].toString();
		}
		assertThat(ToolProvider.getSystemJavaCompiler().run(null, null, null, arguments)).isZero();
	}

}
