#include "graph.hpp"

#include <algorithm>

namespace emulator {

GraphNode* Graph::add(Work work, std::vector<GraphNode*> dependencies) {
  nodes.push_back(std::make_unique<GraphNode>(GraphNode{std::move(work), std::move(dependencies)}));
  return nodes.back().get();
}

void Graph::append(Work work) {
  std::vector<GraphNode*> dependencies;
  if (!nodes.empty()) {
    dependencies.push_back(nodes.back().get());
  }
  add(std::move(work), std::move(dependencies));
}

GraphNode* Graph::find(CUgraphNode handle) const {
  for (const auto& node : nodes) {
    if (static_cast<void*>(node.get()) == handle) {
      return node.get();
    }
  }
  throw Failure{CUDA_ERROR_INVALID_VALUE};
}

std::vector<const GraphNode*> Graph::ordered() const {
  std::vector<const GraphNode*> ordered;
  auto isIn = [&](const GraphNode* node) {
    return std::find(ordered.begin(), ordered.end(), node) != ordered.end();
  };
  while (ordered.size() < nodes.size()) {
    size_t before = ordered.size();
    for (const auto& node : nodes) {
      if (!isIn(node.get()) &&
          std::all_of(node->dependencies.begin(), node->dependencies.end(), isIn)) {
        ordered.push_back(node.get());
      }
    }
    require(ordered.size() > before, CUDA_ERROR_INVALID_VALUE);
  }
  return ordered;
}

}  // namespace emulator
