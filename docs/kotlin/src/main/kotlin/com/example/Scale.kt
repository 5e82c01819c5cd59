package com.example

import io.ringkernel.Capacity
import io.ringkernel.RingKernelHandler
import io.ringkernel.spring.RingKernel

@JvmRecord
data class ScaleRequest(val factor: Float, @Capacity(4096) val values: FloatArray)

@JvmRecord
data class ScaleResponse(@Capacity(4096) val values: FloatArray)

@RingKernel(id = "scale")
class Scale : RingKernelHandler<ScaleRequest, ScaleResponse> {

	override fun handle(request: ScaleRequest) =
		ScaleResponse(FloatArray(request.values.size) { request.factor * request.values[it] })

}
