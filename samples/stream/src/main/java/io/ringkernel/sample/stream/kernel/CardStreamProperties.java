package io.ringkernel.sample.stream.kernel;

import java.time.Duration;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.core.io.Resource;
import org.springframework.util.Assert;

/**
 * Settings below {@code card-stream}.
 *
 * @param partitions how many partitions the topic of the transactions has; that of the
 * features has as many
 * @param cardsPerPartition how many cards of a partition the kernel has room for
 * @param restoreTimeout how long the features of a partition may take to read
 * @param model the model that a node starts with, as XGBoost saves it in JSON
 * @param flagAbove what a score is above that counts as flagged, from 0 to 1
 */
@ConfigurationProperties("card-stream")
public record CardStreamProperties(@DefaultValue("64") int partitions, @DefaultValue("16384") int cardsPerPartition,
		@DefaultValue("2m") Duration restoreTimeout, @DefaultValue("classpath:fraud.json") Resource model,
		@DefaultValue("0.5") float flagAbove) {

	public CardStreamProperties {
		Assert.isTrue(partitions > 0, () -> "card-stream.partitions is %d; set 1 or more".formatted(partitions));
		Assert.isTrue(cardsPerPartition > 0,
				() -> "card-stream.cards-per-partition is %d; set 1 or more".formatted(cardsPerPartition));
		Assert.isTrue(restoreTimeout.compareTo(Duration.ZERO) > 0,
				() -> "card-stream.restore-timeout is %s; set a time above 0".formatted(restoreTimeout));
		Assert.isTrue(flagAbove >= 0 && flagAbove <= 1,
				() -> "card-stream.flag-above is %s; set a number from 0 to 1".formatted(flagAbove));
	}

}
