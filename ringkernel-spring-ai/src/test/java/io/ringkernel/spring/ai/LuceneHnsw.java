package io.ringkernel.spring.ai;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

import org.apache.lucene.document.Document;
import org.apache.lucene.document.IntPoint;
import org.apache.lucene.document.KnnFloatVectorField;
import org.apache.lucene.document.StoredField;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.VectorSimilarityFunction;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.KnnFloatVectorQuery;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.ScoreDoc;
import org.apache.lucene.store.MMapDirectory;

/**
 * Lucene's HNSW graph with its default settings, in one segment that is mapped into
 * memory. Its vectors have length 1.
 */
final class LuceneHnsw implements AutoCloseable {

	/** Holds all, so that the graph is built once. */
	private static final double BUFFER_MEGABYTES = 2000;

	private final MMapDirectory directory;

	private final IndexWriter writer;

	private DirectoryReader reader;

	LuceneHnsw(Path directory) throws IOException {
		this.directory = new MMapDirectory(directory);
		this.writer = new IndexWriter(this.directory, new IndexWriterConfig().setRAMBufferSizeMB(BUFFER_MEGABYTES));
	}

	void add(String id, String text, int part, float[] vector) throws IOException {
		Document document = new Document();
		document.add(new StoredField("id", id));
		document.add(new StoredField("text", text));
		document.add(new IntPoint("part", part));
		document.add(new KnnFloatVectorField("vector", vector, VectorSimilarityFunction.DOT_PRODUCT));
		this.writer.addDocument(document);
	}

	void finish() throws IOException {
		this.writer.forceMerge(1);
		this.writer.close();
		this.reader = DirectoryReader.open(this.directory);
	}

	/**
	 * Searches for the nearest.
	 * @param candidates how many vectors the search of the graph collects
	 * @param part the part that documents must be of, or -1
	 * @return the ids of the nearest
	 */
	List<String> search(float[] vector, int count, int candidates, int part) throws IOException {
		Query filter = (part >= 0) ? IntPoint.newExactQuery("part", part) : null;
		IndexSearcher searcher = new IndexSearcher(this.reader);
		List<String> ids = new ArrayList<>();
		for (ScoreDoc hit : searcher.search(new KnnFloatVectorQuery("vector", vector, candidates, filter),
				count).scoreDocs) {
			ids.add(searcher.storedFields().document(hit.doc).get("id"));
		}
		return ids;
	}

	@Override
	public void close() throws IOException {
		this.reader.close();
		this.directory.close();
	}

}
