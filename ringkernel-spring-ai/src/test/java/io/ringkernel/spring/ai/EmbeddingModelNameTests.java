package io.ringkernel.spring.ai;

import java.nio.file.Path;
import java.util.List;

import io.ringkernel.spring.ai.storage.StorageException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import org.springframework.ai.document.Document;
import org.springframework.ai.embedding.EmbeddingModel;
import org.springframework.ai.embedding.EmbeddingOptions;
import org.springframework.aop.framework.ProxyFactory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for {@link EmbeddingModelName}, and for what a directory notes of the model.
 */
class EmbeddingModelNameTests {

	private static final class NamedModel extends HashEmbeddingModel {

		private final String name;

		NamedModel(String name) {
			super(4);
			this.name = name;
		}

		public EmbeddingOptions getOptions() {
			return EmbeddingOptions.builder().model(this.name).build();
		}

	}

	/** Says what it is as some models of Spring AI do. */
	private static final class ModelWithDefaults extends HashEmbeddingModel {

		ModelWithDefaults() {
			super(4);
		}

		public EmbeddingOptions getDefaultOptions() {
			return EmbeddingOptions.builder().model("by-default").build();
		}

	}

	@Test
	void isThatOfTheOptions() {
		assertThat(EmbeddingModelName.of(new NamedModel("small-3"))).isEqualTo("small-3");
		assertThat(EmbeddingModelName.of(new ModelWithDefaults())).isEqualTo("by-default");
	}

	@Test
	void isTheClassOfAModelWithoutOne() {
		assertThat(EmbeddingModelName.of(new HashEmbeddingModel(4))).isEqualTo(HashEmbeddingModel.class.getName());
		assertThat(EmbeddingModelName.of(new NamedModel(null))).isEqualTo(NamedModel.class.getName());
	}

	@Test
	void isThatOfTheModelBehindAProxy() {
		ProxyFactory proxy = new ProxyFactory(new NamedModel("small-3"));
		proxy.setInterfaces(EmbeddingModel.class);
		assertThat(EmbeddingModelName.of((EmbeddingModel) proxy.getProxy())).isEqualTo("small-3");
		ProxyFactory subclass = new ProxyFactory(new HashEmbeddingModel(4));
		subclass.setProxyTargetClass(true);
		assertThat(EmbeddingModelName.of((EmbeddingModel) subclass.getProxy()))
			.isEqualTo(HashEmbeddingModel.class.getName());
	}

	@Test
	void storeIsRefusedToAnotherModelOfTheSameDimensions(@TempDir Path directory) {
		try (RunningKernel running = new RunningKernel()) {
			RingKernelVectorStore store = builder("small-3", running).directory(directory).build();
			store.add(List.of(new Document("text")));
			store.destroy();
			assertThatExceptionOfType(StorageException.class)
				.isThrownBy(() -> builder("ada-002", running).directory(directory).build())
				.withMessageContaining("vectors of the embedding model 'small-3'")
				.withMessageContaining("the application has the embedding model 'ada-002'")
				.withMessageContaining("Use the model that the documents were embedded with")
				.withMessageContaining("set the model-name of the store to 'small-3'");
			RingKernelVectorStore renamed = builder("ada-002", running).modelName("small-3")
				.directory(directory)
				.build();
			assertThat(renamed.size()).isEqualTo(1);
			renamed.destroy();
		}
	}

	@Test
	void blankModelNameIsThatOfTheModel(@TempDir Path directory) {
		try (RunningKernel running = new RunningKernel()) {
			builder("small-3", running).directory(directory).modelName("").build().destroy();
			assertThatExceptionOfType(StorageException.class)
				.isThrownBy(() -> builder("ada-002", running).directory(directory).modelName(" ").build())
				.withMessageContaining("'small-3'")
				.withMessageContaining("'ada-002'");
		}
	}

	private static RingKernelVectorStore.Builder builder(String model, RunningKernel running) {
		return RingKernelVectorStore.builder(new NamedModel(model), running.kernel());
	}

}
