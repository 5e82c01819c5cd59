// Graphs: work with an order, submitted at once.
#pragma once

#include <memory>
#include <vector>

#include "device.hpp"
#include "stream.hpp"

namespace emulator {

/** A node of a graph, which its address names. */
struct GraphNode {
  Work work;
  std::vector<GraphNode*> dependencies;
};

struct Graph {
  std::vector<std::unique_ptr<GraphNode>> nodes;

  GraphNode* add(Work work, std::vector<GraphNode*> dependencies);

  /** Adds work behind what was added last. */
  void append(Work work);

  /** The node of a handle; fails if none is of this graph. */
  GraphNode* find(CUgraphNode handle) const;

  /** All nodes, each behind those that it depends on; fails if that cannot be. */
  std::vector<const GraphNode*> ordered() const;
};

/** A graph that is ready to be launched: its nodes one after another. */
struct GraphExec {
  struct Step {
    /** Of the graph that it was made of. */
    const GraphNode* node;
    Work work;
  };

  std::vector<Step> steps;
  /** Where the last launch of it ends: launches of one do not overlap. */
  Position last{nullptr, 0};
};

}  // namespace emulator
