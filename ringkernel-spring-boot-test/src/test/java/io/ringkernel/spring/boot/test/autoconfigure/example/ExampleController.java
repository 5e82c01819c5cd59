package io.ringkernel.spring.boot.test.autoconfigure.example;

import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RestController;

@RestController
public class ExampleController {

	@GetMapping("/numbers/{number}")
	public int number(@PathVariable int number) {
		return number;
	}

}
