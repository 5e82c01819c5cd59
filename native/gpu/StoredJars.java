import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.stream.Stream;
import java.util.zip.CRC32;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import java.util.zip.ZipOutputStream;

/**
 * Rewrites every jar below a folder so that its entries are not compressed, in the order they have: what many jars hold
 * then repeats for whoever compresses all of them together. {@code java StoredJars.java FOLDER [PATTERN]}; entries whose
 * name matches the pattern are left out.
 */
class StoredJars {

	public static void main(String[] args) throws IOException {
		String unwanted = (args.length > 1) ? args[1] : "";
		List<Path> jars;
		try (Stream<Path> files = Files.walk(Path.of(args[0]))) {
			jars = files.filter((file) -> file.toString().endsWith(".jar")).toList();
		}
		for (Path jar : jars) {
			Path stored = jar.resolveSibling(jar.getFileName() + ".stored");
			store(jar, stored, unwanted);
			Files.move(stored, jar, StandardCopyOption.REPLACE_EXISTING);
		}
	}

	private static void store(Path jar, Path stored, String unwanted) throws IOException {
		try (ZipFile source = new ZipFile(jar.toFile());
				ZipOutputStream target = new ZipOutputStream(Files.newOutputStream(stored))) {
			target.setMethod(ZipOutputStream.STORED);
			for (ZipEntry entry : (Iterable<ZipEntry>) source.stream().map(ZipEntry.class::cast)::iterator) {
				if (!entry.getName().matches(unwanted)) {
					byte[] content = source.getInputStream(entry).readAllBytes();
					target.putNextEntry(storedEntry(entry, content));
					target.write(content);
				}
			}
		}
	}

	private static ZipEntry storedEntry(ZipEntry entry, byte[] content) {
		ZipEntry stored = new ZipEntry(entry.getName());
		stored.setTime(entry.getTime());
		CRC32 checksum = new CRC32();
		checksum.update(content);
		stored.setCrc(checksum.getValue());
		stored.setSize(content.length);
		stored.setCompressedSize(content.length);
		return stored;
	}

}
