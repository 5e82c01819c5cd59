package io.ringkernel.sample.stream;

import java.util.function.Consumer;

import io.ringkernel.models.Model;
import io.ringkernel.models.forest.InvalidModelException;
import io.ringkernel.sample.stream.kernel.FraudModel;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.core.io.ByteArrayResource;
import org.springframework.messaging.Message;
import org.springframework.stereotype.Component;

/**
 * Puts each model of the topic {@code card-models} into service. Every node reads all of
 * the topic, which is compacted: the latest model is the one that stays.
 */
@Component("model")
class ModelListener implements Consumer<Message<Object>> {

	private static final Logger logger = LoggerFactory.getLogger(ModelListener.class);

	private final FraudModel model;

	ModelListener(FraudModel model) {
		this.model = model;
	}

	@Override
	public void accept(Message<Object> message) {
		if (!(message.getPayload() instanceof byte[] file)) {
			logger.warn("A record of card-models has no value. The model before stays in service.");
			return;
		}
		try {
			Model next = Model.read(new ByteArrayResource(file, "a record of card-models"));
			this.model.replace(next);
			logger.info("Model {} is in service", Long.toHexString(next.image().stamp()));
		}
		catch (InvalidModelException ex) {
			logger.error("The model before stays in service", ex);
		}
	}

}
