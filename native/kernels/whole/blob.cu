// The kernel blob with its worker: an image as a user's nvcc makes it.
#include "../test/blob.cu"
