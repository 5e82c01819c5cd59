package io.ringkernel.sample.validation;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

import io.ringkernel.exception.RingKernelException;
import io.ringkernel.platform.ExecutionPlan;
import io.ringkernel.runtime.Kernel;
import io.ringkernel.sample.vectoradd.VectorAddRequest;
import io.ringkernel.sample.vectoradd.VectorAddResponse;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.boot.ApplicationArguments;
import org.springframework.boot.ApplicationRunner;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.stereotype.Component;

/**
 * Compares the kernel with plain Java arithmetic before the application is ready, and
 * logs the result as one table. An application whose kernel computes wrongly does not
 * start.
 */
@Component
@ConditionalOnBooleanProperty(name = "sample.validation.enabled", matchIfMissing = true)
class VectorAddValidation implements ApplicationRunner {

	private static final Logger log = LoggerFactory.getLogger(VectorAddValidation.class);

	private static final int ROUNDS = 101;

	private final Kernel<VectorAddRequest, VectorAddResponse> vectorAdd;

	private volatile List<ValidationResult> last = List.of();

	VectorAddValidation(Kernel<VectorAddRequest, VectorAddResponse> vectorAdd) {
		this.vectorAdd = vectorAdd;
	}

	/**
	 * Runs all cases.
	 * @throws ValidationFailedException if the kernel failed in one of them
	 */
	@Override
	public void run(ApplicationArguments args) {
		List<ValidationResult> results = validate();
		String table = table(results);
		if (!results.stream().allMatch(ValidationResult::passed)) {
			log.error(table);
			throw new ValidationFailedException(this.vectorAdd.id(), results);
		}
		log.info(table);
	}

	/** Runs all cases, one validation at a time. */
	synchronized List<ValidationResult> validate() {
		this.last = Stream.of(ValidationCase.values()).map(this::validate).toList();
		return this.last;
	}

	/** How the cases ended when they ran last; empty before they have run. */
	List<ValidationResult> last() {
		return this.last;
	}

	ExecutionPlan plan() {
		return this.vectorAdd.plan();
	}

	private ValidationResult validate(ValidationCase validationCase) {
		long[] nanos = new long[ROUNDS];
		for (int round = 0; round < ROUNDS; round++) {
			VectorAddRequest request = validationCase.request(round);
			long start = System.nanoTime();
			float[] sum;
			try {
				sum = this.vectorAdd.client().call(request).sum();
			}
			catch (RingKernelException ex) {
				return new ValidationResult(validationCase, 0, ex.getMessage());
			}
			nanos[round] = System.nanoTime() - start;
			String problem = compare(request, sum);
			if (problem != null) {
				return new ValidationResult(validationCase, nanos[round], problem);
			}
		}
		Arrays.sort(nanos);
		return new ValidationResult(validationCase, nanos[ROUNDS / 2], null);
	}

	private static @Nullable String compare(VectorAddRequest request, float[] sum) {
		if (sum.length != request.a().length) {
			return "%d elements, not %d".formatted(sum.length, request.a().length);
		}
		for (int i = 0; i < sum.length; i++) {
			float expected = request.a()[i] + request.b()[i];
			if (sum[i] != expected) {
				return "element %d is %s, not %s".formatted(i, sum[i], expected);
			}
		}
		return null;
	}

	private String table(List<ValidationResult> results) {
		ExecutionPlan plan = plan();
		StringBuilder table = new StringBuilder(
				"Ring kernel '%s' against plain Java: backend %s, mode %s, transport %s (%s)".formatted(
						this.vectorAdd.id(), name(plan.backend()), name(plan.mode()), name(plan.transport()),
						String.join("; ", plan.reasons())));
		table.append("%n%-10s %10s %14s  %s".formatted("case", "elements", "latency (µs)", "result"));
		results.forEach((result) -> table.append(System.lineSeparator()).append(result.row()));
		return table.toString();
	}

	static String name(Enum<?> value) {
		return value.name().toLowerCase(Locale.ROOT).replace('_', '-');
	}

}
