package com.example;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;

@SpringBootApplication
public class FirstKernelApplication {

	public static void main(String[] args) {
		SpringApplication.run(FirstKernelApplication.class, args);
	}

}
