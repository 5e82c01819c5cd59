package io.ringkernel.spring.ai.storage;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * The directory of a storage: the names of its two files, and how they are opened.
 */
final class StorageDirectory {

	private static final String DOCUMENTS_FILE = "documents.mv";

	private static final String VECTORS_FILE = "vectors.bin";

	private StorageDirectory() {
	}

	/**
	 * Opens the storage, or creates it. What lies in the file of vectors behind the last
	 * row that is in use goes back to the disk.
	 * @throws StorageException if another store has it open, or it cannot be read, or
	 * holds vectors of other dimensions or of another model, or its files do not belong
	 * together
	 */
	static DocumentStorage open(Path directory, int dimensions, String model) {
		try {
			Files.createDirectories(directory);
			VectorFile vectors = VectorFile.open(directory.resolve(VECTORS_FILE), dimensions, model);
			return open(directory.resolve(DOCUMENTS_FILE), vectors);
		}
		catch (IOException ex) {
			throw new StorageException("The vector store cannot be opened in %s.".formatted(directory),
					"Set the directory of the store to a directory that the application may write.", ex);
		}
	}

	private static DocumentStorage open(Path path, VectorFile vectors) throws IOException {
		DocumentFile documents = null;
		DocumentStorage storage = null;
		try {
			documents = DocumentFile.open(path.toString());
			documents.tieTo(vectors);
			storage = new DocumentStorage(documents, vectors);
			vectors.truncate(storage.endOfRows());
			return storage;
		}
		catch (StorageException ex) {
			throw ex;
		}
		catch (RuntimeException ex) {
			throw new StorageException("%s cannot be read.".formatted(path), StorageException.RESTORE_BOTH, ex);
		}
		finally {
			if (storage == null) {
				if (documents != null) {
					documents.abandon();
				}
				vectors.close();
			}
		}
	}

}
