package io.ringkernel.spring.ai.cache;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;

import io.ringkernel.platform.BackendKind;
import io.ringkernel.spring.ai.HashEmbeddingModel;
import io.ringkernel.spring.ai.RingKernelVectorStore;
import io.ringkernel.spring.ai.RunningKernel;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Flux;
import reactor.core.scheduler.Schedulers;

import org.springframework.ai.chat.client.ChatClient;
import org.springframework.ai.chat.client.ChatClientAttributes;
import org.springframework.ai.chat.client.ChatClientRequest;
import org.springframework.ai.chat.client.ChatClientResponse;
import org.springframework.ai.chat.client.advisor.ToolCallingAdvisor;
import org.springframework.ai.chat.client.advisor.api.StreamAdvisor;
import org.springframework.ai.chat.client.advisor.api.StreamAdvisorChain;
import org.springframework.ai.chat.messages.AssistantMessage;
import org.springframework.ai.chat.messages.Message;
import org.springframework.ai.chat.messages.ToolResponseMessage;
import org.springframework.ai.chat.messages.UserMessage;
import org.springframework.ai.chat.metadata.ChatGenerationMetadata;
import org.springframework.ai.chat.model.ChatModel;
import org.springframework.ai.chat.model.ChatResponse;
import org.springframework.ai.chat.model.Generation;
import org.springframework.ai.chat.prompt.ChatOptions;
import org.springframework.ai.chat.prompt.Prompt;
import org.springframework.ai.content.Media;
import org.springframework.ai.model.tool.ToolCallingChatOptions;
import org.springframework.ai.tool.ToolCallback;
import org.springframework.ai.tool.function.FunctionToolCallback;
import org.springframework.core.io.ByteArrayResource;
import org.springframework.util.MimeTypeUtils;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link SemanticCacheAdvisor}, through the client that applications use.
 */
class SemanticCacheAdvisorTests {

	private final RunningKernel running = new RunningKernel(BackendKind.CPU);

	private final RecordingEmbeddingModel embeddingModel = new RecordingEmbeddingModel();

	private final RingKernelVectorStore store = RingKernelVectorStore
		.builder(this.embeddingModel, this.running.kernel())
		.build();

	private final CountingModel model = new CountingModel();

	private final ChatClient client = ChatClient.builder(this.model)
		.defaultAdvisors(new SemanticCacheAdvisor(SemanticCache.builder(this.store).build()))
		.build();

	@AfterEach
	void stop() {
		this.store.destroy();
		this.running.close();
	}

	private ChatClient.ChatClientRequestSpec ask(Object scope, String question) {
		return this.client.prompt().user(question).advisors((spec) -> spec.param(SemanticCacheAdvisor.SCOPE, scope));
	}

	@Test
	void asksTheModelOnce() {
		assertThat(ask("alice", "what is a ring").call().content()).isEqualTo("answer 1");
		assertThat(ask("alice", "what is a ring").call().content()).isEqualTo("answer 1");
		assertThat(ask("alice", "what is a ring").call().chatClientResponse().context())
			.containsEntry(SemanticCacheAdvisor.HIT, true);
		assertThat(ask("alice", "who wrote the iliad").call().content()).isEqualTo("answer 2");
	}

	@Test
	void answersOfOneUserAreNotThoseOfAnother() {
		assertThat(ask("alice", "what is my balance").call().content()).isEqualTo("answer 1");
		assertThat(ask("bob", "what is my balance").call().content()).isEqualTo("answer 2");
		assertThat(ask("alice", "what is my balance").call().content()).isEqualTo("answer 1");
	}

	@Test
	void requestWithoutAScopeIsNotKept() {
		assertThat(this.client.prompt().user("what is a ring").call().content()).isEqualTo("answer 1");
		assertThat(this.client.prompt().user("what is a ring").call().content()).isEqualTo("answer 2");
		assertThat(this.store.size()).isZero();
	}

	@Test
	void anotherSystemMessageIsAnotherQuestion() {
		assertThat(ask("alice", "what is a ring").system("Be brief.").call().content()).isEqualTo("answer 1");
		assertThat(ask("alice", "what is a ring").system("Be verbose.").call().content()).isEqualTo("answer 2");
		assertThat(ask("alice", "what is a ring").system("Be brief.").call().content()).isEqualTo("answer 1");
	}

	@Test
	void anotherFormatIsAnotherQuestion() {
		assertThat(ask("alice", "list films").call().content()).isEqualTo("answer 1");
		assertThat(askFor(ChatClientAttributes.OUTPUT_FORMAT, "JSON of a film")).isEqualTo("answer 2");
		assertThat(askFor(ChatClientAttributes.OUTPUT_FORMAT, "JSON of a list")).isEqualTo("answer 3");
		assertThat(askFor(ChatClientAttributes.STRUCTURED_OUTPUT_SCHEMA, "JSON of a film")).isEqualTo("answer 4");
		assertThat(askFor(ChatClientAttributes.OUTPUT_FORMAT, "JSON of a film")).isEqualTo("answer 2");
		assertThat(ask("alice", "list films").call().content()).isEqualTo("answer 1");
	}

	private @Nullable String askFor(ChatClientAttributes attribute, String format) {
		return ask("alice", "list films").advisors((spec) -> spec.param(attribute.getKey(), format)).call().content();
	}

	@Test
	void resultOfAToolIsNotKeptInWhateverOrderTheAdvisorsAreAdded() {
		AtomicInteger executions = new AtomicInteger();
		ToolCallback balance = FunctionToolCallback.builder("balance", () -> executions.incrementAndGet())
			.description("Tells the balance")
			.inputType(Void.class)
			.build();
		ChatClient calling = ChatClient.builder(this.model)
			.defaultAdvisors(ToolCallingAdvisor.builder().build(),
					new SemanticCacheAdvisor(SemanticCache.builder(this.store).build()))
			.build();
		this.model.callsTool = true;
		for (int i = 1; i <= 2; i++) {
			String answer = calling.prompt()
				.user("what is my balance")
				.tools(balance)
				.advisors((spec) -> spec.param(SemanticCacheAdvisor.SCOPE, "alice"))
				.call()
				.content();
			assertThat(answer).isEqualTo("answer " + 2 * i);
			assertThat(executions).hasValue(i);
		}
		assertThat(this.store.size()).isZero();
	}

	@Test
	void scopeMayBeAnyValue() {
		assertThat(ask(7L, "what is a ring").call().content()).isEqualTo("answer 1");
		assertThat(ask(7L, "what is a ring").call().content()).isEqualTo("answer 1");
		assertThat(ask(8L, "what is a ring").call().content()).isEqualTo("answer 2");
	}

	@Test
	void earlierImageIsNotKept() {
		assertThat(askAfter(image(1), new AssistantMessage("A ring.")).call().content()).isEqualTo("answer 1");
		assertThat(askAfter(image(2), new AssistantMessage("A ring.")).call().content()).isEqualTo("answer 2");
		assertThat(this.store.size()).isZero();
	}

	@Test
	void earlierResultOfAToolIsNotKept() {
		assertThat(askAfter(toolResult("gold")).call().content()).isEqualTo("answer 1");
		assertThat(askAfter(toolResult("silver")).call().content()).isEqualTo("answer 2");
		assertThat(this.store.size()).isZero();
	}

	@Test
	void earlierCallOfAToolIsNotKept() {
		assertThat(askAfter(toolCall("{\"id\":1}")).call().content()).isEqualTo("answer 1");
		assertThat(askAfter(toolCall("{\"id\":2}")).call().content()).isEqualTo("answer 2");
		assertThat(this.store.size()).isZero();
	}

	private ChatClient.ChatClientRequestSpec askAfter(Message... earlier) {
		return ask("alice", "what is it made of").messages(earlier);
	}

	private static Message image(int content) {
		return UserMessage.builder()
			.text("what is this")
			.media(new Media(MimeTypeUtils.IMAGE_PNG, new ByteArrayResource(new byte[] { (byte) content })))
			.build();
	}

	private static Message toolCall(String arguments) {
		return AssistantMessage.builder()
			.content("")
			.toolCalls(List.of(new AssistantMessage.ToolCall("1", "function", "look", arguments)))
			.build();
	}

	private static Message toolResult(String result) {
		return ToolResponseMessage.builder()
			.responses(List.of(new ToolResponseMessage.ToolResponse("1", "look", result)))
			.build();
	}

	@Test
	void keepsNoAnswerThatWasCutOff() {
		this.model.finishReason = "LENGTH";
		assertThat(ask("alice", "what is a ring").call().content()).isEqualTo("answer 1");
		assertThat(ask("alice", "what is a ring").call().content()).isEqualTo("answer 2");
	}

	@Test
	void streamsAndCallsShareAnswers() {
		assertThat(content(ask("alice", "what is a ring"))).isEqualTo("answer 1");
		assertThat(content(ask("alice", "what is a ring"))).isEqualTo("answer 1");
		assertThat(ask("alice", "what is a ring").call().content()).isEqualTo("answer 1");
	}

	private static String content(ChatClient.ChatClientRequestSpec request) {
		return String.join("", request.stream().content().toIterable());
	}

	@Test
	void keepsTheAnswerOfAStreamBesideItsThread() {
		for (int i = 0; i < 2; i++) {
			assertThat(content(ask("alice", "what is a ring").advisors(new NonBlockingAdvisor())))
				.isEqualTo("answer 1");
		}
		assertThat(this.embeddingModel.inNonBlockingThread).hasSize(3).containsOnly(false);
	}

	@Test
	void modelAnswersIfTheCacheFails() {
		this.running.kernel().deactivate();
		assertThat(ask("alice", "what is a ring").call().content()).isEqualTo("answer 1");
		assertThat(ask("alice", "what is a ring").call().content()).isEqualTo("answer 2");
	}

	/** Says how often it was asked. */
	private static final class CountingModel implements ChatModel {

		private final List<Prompt> asked = new ArrayList<>();

		private String finishReason = "STOP";

		private boolean callsTool;

		@Override
		public ChatOptions getOptions() {
			return ToolCallingChatOptions.builder().build();
		}

		@Override
		public ChatResponse call(Prompt prompt) {
			this.asked.add(prompt);
			if (this.callsTool && prompt.getInstructions().stream().noneMatch(ToolResponseMessage.class::isInstance)) {
				AssistantMessage call = AssistantMessage.builder()
					.content("")
					.toolCalls(List.of(new AssistantMessage.ToolCall("1", "function", "balance", "{}")))
					.build();
				return new ChatResponse(List.of(new Generation(call)));
			}
			return response("answer " + this.asked.size());
		}

		@Override
		public Flux<ChatResponse> stream(Prompt prompt) {
			this.asked.add(prompt);
			return Flux.just(response("answer "), response(String.valueOf(this.asked.size())));
		}

		private ChatResponse response(String text) {
			return new ChatResponse(List.of(new Generation(new AssistantMessage(text),
					ChatGenerationMetadata.builder().finishReason(this.finishReason).build())));
		}

	}

	/** Continues a stream on a thread that must not wait. */
	private static final class NonBlockingAdvisor implements StreamAdvisor {

		@Override
		public String getName() {
			return "NonBlocking";
		}

		@Override
		public int getOrder() {
			return 0;
		}

		@Override
		public Flux<ChatClientResponse> adviseStream(ChatClientRequest request, StreamAdvisorChain chain) {
			return chain.nextStream(request).publishOn(Schedulers.parallel());
		}

	}

	/** Notes on which threads it embeds. */
	private static final class RecordingEmbeddingModel extends HashEmbeddingModel {

		private final List<Boolean> inNonBlockingThread = new CopyOnWriteArrayList<>();

		private RecordingEmbeddingModel() {
			super(64);
		}

		@Override
		protected float[] vector(String text) {
			this.inNonBlockingThread.add(Schedulers.isInNonBlockingThread());
			return super.vector(text);
		}

	}

}
