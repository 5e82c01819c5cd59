// The kernel of the tests that adds vectors, with its worker.
#include "../test/vector_add.cu"
