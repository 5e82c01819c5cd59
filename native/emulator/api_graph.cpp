// Graphs, made of nodes or captured from a stream.
#include <algorithm>

#include "call.hpp"
#include "graph.hpp"
#include "launching.hpp"

using namespace emulator;

namespace {

std::vector<GraphNode*> nodes(const Graph& graph, const CUgraphNode* handles, size_t count) {
  std::vector<GraphNode*> nodes;
  for (size_t i = 0; i < count; i++) {
    nodes.push_back(graph.find(handles[i]));
  }
  return nodes;
}

void add(CUgraphNode* node, CUgraph handle, const CUgraphNode* dependencies, size_t count,
         Work work) {
  auto graph = Device::get().graphs.get(handle);
  void* added = graph->add(std::move(work), nodes(*graph, dependencies, count));
  *node = static_cast<CUgraphNode>(added);
}

}  // namespace

DRIVER_API cuGraphCreate(CUgraph* graph, unsigned flags) {
  return contextCall([&](Lock&) {
    require(flags == 0, CUDA_ERROR_INVALID_VALUE);
    *graph = static_cast<CUgraph>(Device::get().graphs.add(std::make_shared<Graph>()));
  });
}

DRIVER_API cuGraphDestroy(CUgraph graph) {
  return contextCall([&](Lock&) { Device::get().graphs.remove(graph); });
}

DRIVER_API cuGraphAddKernelNode_v2(CUgraphNode* node, CUgraph graph,
                                   const CUgraphNode* dependencies, size_t count,
                                   const CUDA_KERNEL_NODE_PARAMS* parameters) {
  return contextCall(
      [&](Lock&) { add(node, graph, dependencies, count, workOf(Launch::of(*parameters))); });
}

DRIVER_API cuGraphAddEmptyNode(CUgraphNode* node, CUgraph graph, const CUgraphNode* dependencies,
                               size_t count) {
  return contextCall([&](Lock&) { add(node, graph, dependencies, count, {[] {}, {}}); });
}

DRIVER_API cuGraphAddHostNode(CUgraphNode* node, CUgraph graph, const CUgraphNode* dependencies,
                              size_t count, const CUDA_HOST_NODE_PARAMS* parameters) {
  return contextCall([&](Lock&) {
    auto stated = *parameters;
    add(node, graph, dependencies, count, {[stated] { stated.fn(stated.userData); }, {}});
  });
}

DRIVER_API cuGraphGetNodes(CUgraph handle, CUgraphNode* nodes, size_t* count) {
  return contextCall([&](Lock&) {
    auto graph = Device::get().graphs.get(handle);
    size_t known = graph->nodes.size();
    for (size_t i = 0; nodes != nullptr && i < std::min(known, *count); i++) {
      void* node = graph->nodes[i].get();
      nodes[i] = static_cast<CUgraphNode>(node);
    }
    *count = known;
  });
}

DRIVER_API cuGraphInstantiateWithFlags(CUgraphExec* exec, CUgraph handle, unsigned long long) {
  return contextCall([&](Lock&) {
    require(Platform::current().graphs, CUDA_ERROR_NOT_SUPPORTED);
    auto graph = std::make_shared<GraphExec>();
    for (const GraphNode* node : Device::get().graphs.get(handle)->ordered()) {
      graph->steps.push_back({node, node->work});
    }
    *exec = static_cast<CUgraphExec>(Device::get().graphExecs.add(std::move(graph)));
  });
}

DRIVER_API cuGraphExecKernelNodeSetParams_v2(CUgraphExec exec, CUgraphNode handle,
                                             const CUDA_KERNEL_NODE_PARAMS* parameters) {
  return contextCall([&](Lock&) {
    for (GraphExec::Step& step : Device::get().graphExecs.get(exec)->steps) {
      if (static_cast<const void*>(step.node) == handle && step.work.launch) {
        step.work = workOf(Launch::of(*parameters));
        return;
      }
    }
    throw Failure{CUDA_ERROR_INVALID_VALUE};
  });
}

DRIVER_API cuGraphUpload(CUgraphExec exec, CUstream stream) {
  return contextCall([&](Lock&) {
    Device::get().graphExecs.get(exec);
    Stream::of(stream);
  });
}

DRIVER_API cuGraphLaunch(CUgraphExec exec, CUstream stream) {
  return contextCall(
      [&](Lock& lock) { submit(lock, Stream::of(stream), Device::get().graphExecs.get(exec)); });
}

DRIVER_API cuGraphExecDestroy(CUgraphExec exec) {
  return contextCall([&](Lock&) { Device::get().graphExecs.remove(exec); });
}
