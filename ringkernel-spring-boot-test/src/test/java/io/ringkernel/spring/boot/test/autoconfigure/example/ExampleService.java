package io.ringkernel.spring.boot.test.autoconfigure.example;

import org.springframework.stereotype.Service;

@Service
public class ExampleService {

}
