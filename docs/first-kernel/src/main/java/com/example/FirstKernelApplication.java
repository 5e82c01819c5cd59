package com.example;

import io.ringkernel.spring.exchange.ImportRingKernelExchanges;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;

@SpringBootApplication
@ImportRingKernelExchanges
public class FirstKernelApplication {

	public static void main(String[] args) {
		SpringApplication.run(FirstKernelApplication.class, args);
	}

}
