// Submits kernels and graphs to streams.
#pragma once

#include "graph.hpp"
#include "stream.hpp"

namespace emulator {

/** Work that runs a kernel. */
Work workOf(const Launch& launch);

/** Submits a kernel; a function that was never launched is loaded first, behind all that runs. */
void submit(Lock& lock, const std::shared_ptr<Stream>& stream, const Launch& launch);

/** Submits a graph, behind its last launch. */
void submit(Lock& lock, const std::shared_ptr<Stream>& stream,
            const std::shared_ptr<GraphExec>& graph);

}  // namespace emulator
