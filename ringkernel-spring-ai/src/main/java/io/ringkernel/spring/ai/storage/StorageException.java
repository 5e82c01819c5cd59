package io.ringkernel.spring.ai.storage;

import org.jspecify.annotations.Nullable;

/**
 * What a vector store keeps cannot be read or written.
 *
 * @since 0.2.0
 */
public class StorageException extends RuntimeException {

	static final String RESTORE = "restore documents.mv and vectors.bin from one backup, or remove both and add the documents again.";

	static final String RESTORE_BOTH = "R" + RESTORE.substring(1);

	private final String problem;

	private final String remedy;

	/**
	 * Creates the exception.
	 * @param problem what is wrong: a sentence that names the file
	 * @param remedy what to change: a sentence
	 * @param cause what led to it, if anything
	 */
	public StorageException(String problem, String remedy, @Nullable Throwable cause) {
		super(problem + " " + remedy, cause);
		this.problem = problem;
		this.remedy = remedy;
	}

	static StorageException inUse(String file, @Nullable Throwable cause) {
		return new StorageException("%s is in use by another store, of this process or another one.".formatted(file),
				"Close that store, such as one of another application context, or set the directory of this one to another directory.",
				cause);
	}

	/**
	 * What is wrong.
	 * @return a sentence that names the file
	 */
	public String problem() {
		return this.problem;
	}

	/**
	 * What to change.
	 * @return a sentence
	 */
	public String remedy() {
		return this.remedy;
	}

}
