package io.ringkernel.spring.boot.test.autoconfigure.example;

import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RestController;

@RestController
public class DoublingController {

	private final Doubling doubling;

	DoublingController(Doubling doubling) {
		this.doubling = doubling;
	}

	@GetMapping("/doubles/{number}")
	public int twice(@PathVariable int number) {
		return this.doubling.twice(new Number(number)).value();
	}

}
