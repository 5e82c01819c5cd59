package io.ringkernel.cuda;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

import io.ringkernel.platform.PlanOffer;
import io.ringkernel.platform.PlanRequest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * Marks tests that need a CUDA device. Where there is none they are skipped, and the
 * report says why.
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@Tag("gpu")
@ExtendWith(RequiresGpu.Condition.class)
public @interface RequiresGpu {

	/**
	 * Whether there is a device.
	 */
	final class Condition implements ExecutionCondition {

		@Override
		public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
			PlanOffer offer = new CudaBackendProvider().plan(PlanRequest.AUTO);
			return (offer instanceof PlanOffer.Refused refused)
					? ConditionEvaluationResult.disabled(refused.reason() + ". " + refused.remedy())
					: ConditionEvaluationResult.enabled("there is a CUDA device");
		}

	}

}
