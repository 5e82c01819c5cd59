package com.example;

import io.ringkernel.spring.KernelStateChangedEvent;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.context.event.EventListener;
import org.springframework.stereotype.Component;

@Component
class KernelLog {

	private static final Logger logger = LoggerFactory.getLogger(KernelLog.class);

	@EventListener
	void on(KernelStateChangedEvent event) {
		logger.info("{} went from {} to {}", event.getKernel().id(), event.getFrom(), event.getTo());
	}

}
