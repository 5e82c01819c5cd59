package com.example

import io.ringkernel.RingKernelClient
import org.springframework.stereotype.Service

@Service
class Scaling(private val scale: RingKernelClient<ScaleRequest, ScaleResponse>) {

	fun twice(values: FloatArray): FloatArray = scale.call(ScaleRequest(2f, values)).values

}
