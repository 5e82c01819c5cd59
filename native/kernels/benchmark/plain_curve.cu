// The kernels of the curve as they are written to be launched for each request.
extern "C" __global__ void plain_ends(const float* in, float* out, int count) {
  if (threadIdx.x == 0) {
    out[0] = in[0];
    out[1] = in[count - 1];
    reinterpret_cast<int*>(out)[2] = count;
    reinterpret_cast<int*>(out)[3] = 0;
  }
}

extern "C" __global__ void plain_fill(const float* in, float* out, int count) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) {
    out[i] = in[1] + i;
  }
}

extern "C" __global__ void plain_raise(const float* in, float* out, int count) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) {
    out[i] = in[i] + 1;
  }
}
