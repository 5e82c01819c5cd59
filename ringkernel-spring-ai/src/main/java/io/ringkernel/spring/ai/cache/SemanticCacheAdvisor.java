package io.ringkernel.spring.ai.cache;

import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

import org.springframework.ai.chat.client.ChatClientMessageAggregator;
import org.springframework.ai.chat.client.ChatClientRequest;
import org.springframework.ai.chat.client.ChatClientResponse;
import org.springframework.ai.chat.client.advisor.ToolCallingAdvisor;
import org.springframework.ai.chat.client.advisor.api.CallAdvisor;
import org.springframework.ai.chat.client.advisor.api.CallAdvisorChain;
import org.springframework.ai.chat.client.advisor.api.StreamAdvisor;
import org.springframework.ai.chat.client.advisor.api.StreamAdvisorChain;
import org.springframework.ai.chat.messages.AssistantMessage;
import org.springframework.ai.chat.messages.Message;
import org.springframework.ai.chat.messages.ToolResponseMessage;
import org.springframework.ai.chat.messages.UserMessage;
import org.springframework.ai.chat.model.ChatResponse;
import org.springframework.ai.chat.model.Generation;
import org.springframework.ai.content.MediaContent;

/**
 * Answers a question from a {@link SemanticCache} if a similar one was asked before, and
 * otherwise keeps the answer of the model.
 * <p>
 * Questions share answers if they have the same {@linkplain #SCOPE scope}, model, system
 * message, earlier messages and format of structured output. A request without a scope is
 * neither answered from the cache nor kept, and so are requests with media, tool calls or
 * results of tools in any message, and responses with media, tool calls, several results,
 * or an answer that the model has not ended by itself. If the cache fails, the model
 * answers.
 *
 * @since 0.2.0
 */
public final class SemanticCacheAdvisor implements CallAdvisor, StreamAdvisor {

	/**
	 * The parameter of a request that says who may share its answer, such as the id of a
	 * user. Values with the same {@link Object#toString() text} are one scope.
	 */
	public static final String SCOPE = "ringkernel.semantic-cache.scope";

	/** In the context of a response: whether it comes from the cache. */
	public static final String HIT = "ringkernel.semantic-cache.hit";

	/**
	 * Within the memory of the conversation, which is then a part of the prompt, and
	 * within the loop that calls tools, whose results are then messages.
	 */
	private static final int ORDER = ToolCallingAdvisor.DEFAULT_ORDER + 1;

	/** How models say that an answer is whole. */
	private static final Set<String> ENDED = Set.of("", "stop", "end_turn");

	private static final Logger logger = LoggerFactory.getLogger(SemanticCacheAdvisor.class);

	private final SemanticCache cache;

	/**
	 * Creates an advisor.
	 * @param cache where answers are kept
	 */
	public SemanticCacheAdvisor(SemanticCache cache) {
		this.cache = cache;
	}

	@Override
	public String getName() {
		return "SemanticCache";
	}

	@Override
	public int getOrder() {
		return ORDER;
	}

	@Override
	public ChatClientResponse adviseCall(ChatClientRequest request, CallAdvisorChain chain) {
		Question question = question(request);
		if (question == null) {
			return chain.nextCall(request);
		}
		return find(question, request).orElseGet(() -> {
			ChatClientResponse response = chain.nextCall(request);
			keep(question, response);
			return response;
		});
	}

	@Override
	public Flux<ChatClientResponse> adviseStream(ChatClientRequest request, StreamAdvisorChain chain) {
		Question question = question(request);
		if (question == null) {
			return chain.nextStream(request);
		}
		// The cache waits, which threads of a stream must not.
		return Mono.fromCallable(() -> find(question, request))
			.subscribeOn(Schedulers.boundedElastic())
			.flatMapMany((found) -> found.map(Flux::just).orElseGet(() -> stream(question, request, chain)));
	}

	private Flux<ChatClientResponse> stream(Question question, ChatClientRequest request, StreamAdvisorChain chain) {
		AtomicReference<ChatClientResponse> whole = new AtomicReference<>();
		Mono<ChatClientResponse> kept = Mono.<ChatClientResponse>fromRunnable(() -> keep(question, whole.get()))
			.subscribeOn(Schedulers.boundedElastic());
		return new ChatClientMessageAggregator().aggregateChatClientResponse(chain.nextStream(request), whole::set)
			.concatWith(kept);
	}

	private static @Nullable Question question(ChatClientRequest request) {
		List<Message> messages = request.prompt().getInstructions();
		Object scope = request.context().get(SCOPE);
		if (scope == null || messages.isEmpty() || !(messages.get(messages.size() - 1) instanceof UserMessage last)
				|| !messages.stream().allMatch(SemanticCacheAdvisor::isTextAlone)) {
			return null;
		}
		String text = last.getText();
		return (text != null && !text.isBlank()) ? new Question(CachePartition.of(String.valueOf(scope), request), text)
				: null;
	}

	/** Whether its text, which tells partitions apart, is all that it says. */
	private static boolean isTextAlone(Message message) {
		return !(message instanceof ToolResponseMessage)
				&& !(message instanceof MediaContent content && !content.getMedia().isEmpty())
				&& !(message instanceof AssistantMessage answer && answer.hasToolCalls());
	}

	private Optional<ChatClientResponse> find(Question question, ChatClientRequest request) {
		try {
			return this.cache.find(question.partition(), question.text())
				.map((answer) -> ChatClientResponse.builder()
					.chatResponse(new ChatResponse(List.of(new Generation(new AssistantMessage(answer)))))
					.context(request.context())
					.context(HIT, true)
					.build());
		}
		catch (RuntimeException ex) {
			logger.warn("The semantic cache has not been searched, so the model answers", ex);
			return Optional.empty();
		}
	}

	private void keep(Question question, ChatClientResponse response) {
		String answer = answer(response.chatResponse());
		if (answer == null) {
			return;
		}
		try {
			this.cache.put(question.partition(), question.text(), answer);
		}
		catch (RuntimeException ex) {
			logger.warn("The semantic cache has not kept an answer", ex);
		}
	}

	private static @Nullable String answer(@Nullable ChatResponse response) {
		if (response == null || response.getResults().size() != 1 || response.hasToolCalls()) {
			return null;
		}
		Generation result = response.getResults().get(0);
		String reason = result.getMetadata().getFinishReason();
		String text = result.getOutput().getText();
		boolean ended = reason == null || ENDED.contains(reason.toLowerCase(Locale.ROOT));
		return (ended && text != null && !text.isBlank() && result.getOutput().getMedia().isEmpty()) ? text : null;
	}

	private record Question(String partition, String text) {
	}

}
