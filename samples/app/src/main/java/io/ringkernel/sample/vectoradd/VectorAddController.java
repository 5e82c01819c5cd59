package io.ringkernel.sample.vectoradd;

import io.ringkernel.RingKernelClient;
import io.ringkernel.sample.web.InvalidInputException;
import io.ringkernel.sample.web.ServerTiming;
import jakarta.servlet.http.HttpServletResponse;

import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;

/** Adds vectors over HTTP, by the client of the kernel that speaks these two records. */
@RestController
@RequestMapping("/api/vector-add")
class VectorAddController {

	private final RingKernelClient<VectorAddRequest, VectorAddResponse> vectorAdd;

	VectorAddController(RingKernelClient<VectorAddRequest, VectorAddResponse> vectorAdd) {
		this.vectorAdd = vectorAdd;
	}

	@PostMapping
	VectorAddResponse add(@RequestBody VectorAddRequest request, HttpServletResponse http) {
		int length = request.a().length;
		if (request.b().length != length) {
			throw new InvalidInputException("b", "has %d elements where a has %d".formatted(request.b().length, length),
					length, request.b().length);
		}
		VectorAddResponse response = ServerTiming.of(http, () -> this.vectorAdd.call(request));
		requireFinite(request, response.sum());
		return response;
	}

	/** JSON has no infinity: a sum beyond the range of float cannot be told. */
	private static void requireFinite(VectorAddRequest request, float[] sum) {
		for (int i = 0; i < sum.length; i++) {
			if (!Float.isFinite(sum[i])) {
				throw new InvalidInputException("a[%1$d] + b[%1$d]".formatted(i), "is beyond the range of float",
						Float.MAX_VALUE, (double) request.a()[i] + request.b()[i]);
			}
		}
	}

}
