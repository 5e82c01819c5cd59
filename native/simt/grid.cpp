#include "grid.hpp"

#include "block.hpp"
#include "block_threads.hpp"
#include "faults.hpp"

namespace simt {

void Grid::begin(uint32_t block) {
  faults::catchThem();
  BlockThreads::get().run([grid = shared_from_this(), block] {
    faults::watch(true);
    Block(*grid, block).run();
    faults::watch(false);
    grid->blockEnded_();
  });
}

void Grid::end(Ending reason) {
  Ending none = Ending::RETURNED;
  ending_.compare_exchange_strong(none, reason, std::memory_order_acq_rel);
}

}  // namespace simt
