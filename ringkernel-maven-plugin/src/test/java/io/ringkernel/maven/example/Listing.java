package io.ringkernel.maven.example;

import java.util.List;

import io.ringkernel.RingKernelHandler;
import io.ringkernel.spring.RingKernel;

/** Has a record whose size is not known. */
@RingKernel(id = "listing")
class Listing implements RingKernelHandler<Listing.Names, Listing.Names> {

	record Names(List<String> names) {
	}

	@Override
	public Names handle(Names request) {
		return request;
	}

}
