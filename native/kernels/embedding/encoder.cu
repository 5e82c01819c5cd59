// Encodes texts: see encoder.cuh.
#include "encoder.cuh"

RING_KERNEL_ASSISTED(encoder, EncoderRequest, EncoderResponse, EncoderState)
(Context ctx, const EncoderRequest& in, EncoderResponse& out) {
  Encoder(ctx, in, out).handle();
}
