package io.ringkernel.spring.ai.storage;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.stream.Stream;

import org.springframework.util.FileSystemUtils;

/**
 * The directory of a storage: the names of its two files, and how they are opened.
 */
final class StorageDirectory {

	private static final String DOCUMENTS_FILE = "documents.mv";

	private static final String VECTORS_FILE = "vectors.bin";

	/**
	 * The directories that stores of this class loader have open. They are refused before
	 * their files are opened: on Linux and macOS, a process that closes a file in any
	 * place gives up its lock on it.
	 */
	private static final ConcurrentMap<Path, Object> IN_USE = new ConcurrentHashMap<>();

	private StorageDirectory() {
	}

	/** Opens or creates the storage, and cuts vectors behind the last row in use. */
	static DocumentStorage open(Path directory, int dimensions, String model) {
		try {
			Files.createDirectories(directory);
			if (!Files.isWritable(directory)) {
				throw new AccessDeniedException(directory.toString());
			}
			return openUnlessInUse(directory, dimensions, model);
		}
		catch (IOException ex) {
			throw new StorageException("The vector store cannot be opened in %s.".formatted(directory),
					"Set the directory of the store to a directory that the application may write.", ex);
		}
	}

	private static DocumentStorage openUnlessInUse(Path directory, int dimensions, String model) throws IOException {
		Path used = directory.toRealPath();
		Path documents = directory.resolve(DOCUMENTS_FILE);
		Object claim = new Object();
		if (IN_USE.putIfAbsent(used, claim) != null) {
			throw StorageException.inUse(documents.toString(), null);
		}
		boolean isOpen = false;
		try {
			DocumentStorage storage = open(documents, directory.resolve(VECTORS_FILE), dimensions, model,
					() -> IN_USE.remove(used, claim));
			isOpen = true;
			return storage;
		}
		finally {
			if (!isOpen) {
				IN_USE.remove(used, claim);
			}
		}
	}

	/** Creates a directory, which has its name once both files are complete. */
	static int create(Path directory, Content content) throws IOException {
		Path target = directory.toAbsolutePath();
		if (Files.isDirectory(target) ? !isEmpty(target) : Files.exists(target)) {
			throw new StorageException("%s is there already, and is no empty directory.".formatted(target),
					"Name a directory that is not there.", null);
		}
		Path draft = target.resolveSibling("%s.%s.draft".formatted(target.getFileName(), UUID.randomUUID()));
		Files.createDirectories(draft);
		try {
			int count = content.write(draft.resolve(DOCUMENTS_FILE), draft.resolve(VECTORS_FILE));
			Files.deleteIfExists(target);
			Files.move(draft, target, StandardCopyOption.ATOMIC_MOVE);
			return count;
		}
		finally {
			FileSystemUtils.deleteRecursively(draft);
		}
	}

	private static boolean isEmpty(Path directory) throws IOException {
		try (Stream<Path> files = Files.list(directory)) {
			return files.findAny().isEmpty();
		}
	}

	/**
	 * The file of documents comes first, because it is locked: a store that is refused
	 * changes nothing for the one that is not.
	 */
	private static DocumentStorage open(Path path, Path vectorsPath, int dimensions, String model, Runnable closed)
			throws IOException {
		DocumentFile documents = DocumentFile.open(path.toString());
		VectorFile vectors = null;
		boolean isOpen = false;
		try {
			vectors = VectorFile.open(vectorsPath, dimensions, model);
			documents.tieTo(vectors);
			DocumentStorage storage = new DocumentStorage(documents, vectors, closed);
			vectors.noteModel();
			vectors.truncate(storage.endOfRows());
			isOpen = true;
			return storage;
		}
		catch (StorageException ex) {
			throw ex;
		}
		catch (RuntimeException ex) {
			throw new StorageException("%s cannot be read.".formatted(path), StorageException.RESTORE_BOTH, ex);
		}
		finally {
			if (!isOpen) {
				documents.abandon();
				if (vectors != null) {
					vectors.close();
				}
			}
		}
	}

	/** Writes both files, and returns how many documents these are. */
	@FunctionalInterface
	interface Content {

		int write(Path documents, Path vectors) throws IOException;

	}

}
