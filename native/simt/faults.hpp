// Turns an access to where nothing is, by a thread of a kernel, into the end of its grid. All other
// threads of the process keep the handlers that they had.
#pragma once

namespace simt::faults {

/** Takes effect once; after the handlers of a virtual machine, say, are in place. */
void catchThem();

/** Says whether the calling thread runs a block from now on. */
void watch(bool runs);

}  // namespace simt::faults
