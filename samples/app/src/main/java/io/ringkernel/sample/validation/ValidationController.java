package io.ringkernel.sample.validation;

import java.util.List;
import java.util.Locale;

import io.ringkernel.platform.ExecutionPlan;
import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.http.HttpStatus;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.server.ResponseStatusException;

/** Shows the table of the validation over HTTP, and runs it again. */
@RestController
@RequestMapping("/api/validation")
class ValidationController {

	private final ObjectProvider<VectorAddValidation> validation;

	ValidationController(ObjectProvider<VectorAddValidation> validation) {
		this.validation = validation;
	}

	@GetMapping
	Report last() {
		return report(validation().last());
	}

	@PostMapping
	Report again() {
		return report(validation().validate());
	}

	private VectorAddValidation validation() {
		VectorAddValidation validation = this.validation.getIfAvailable();
		if (validation == null) {
			throw new ResponseStatusException(HttpStatus.NOT_FOUND,
					"There is no validation. Set sample.validation.enabled to true.");
		}
		return validation;
	}

	private Report report(List<ValidationResult> results) {
		ExecutionPlan plan = validation().plan();
		return new Report(VectorAddValidation.name(plan.backend()), plan.reasons(),
				results.stream().map(Row::new).toList());
	}

	record Report(String backend, List<String> reasons, List<Row> rows) {
	}

	record Row(String name, int elements, double micros, @Nullable String problem) {

		Row(ValidationResult result) {
			this(result.validationCase().name().toLowerCase(Locale.ROOT), result.validationCase().elements(),
					result.nanos() / 1000.0, result.problem());
		}

	}

}
