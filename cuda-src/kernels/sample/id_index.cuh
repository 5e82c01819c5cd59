// Where the vector of an id is stored: a hash table with linear probing, used by one thread at a
// time, or by readers only.
#pragma once

#include <cstdint>

template <uint32_t SLOTS>
class IdIndex {
  static_assert((SLOTS & (SLOTS - 1)) == 0, "a power of two");

 public:
  static constexpr int32_t UNKNOWN = -1;

  /** The row of an id. */
  __device__ int32_t find(int32_t id) const {
    return static_cast<int32_t>(slots_[slotOf(id)].row) - 1;
  }

  /** Sets the row of an id, which may be known. There is always a free slot. */
  __device__ void put(int32_t id, uint32_t row) { slots_[slotOf(id)] = {id, row + 1}; }

  /** Forgets an id, and closes the gap: later entries of the same run move up. */
  __device__ void remove(int32_t id) {
    uint32_t gap = slotOf(id);
    for (uint32_t next = gap;;) {
      next = (next + 1) % SLOTS;
      if (slots_[next].row == 0) {
        break;
      }
      uint32_t home = hash(slots_[next].id);
      if ((next - home) % SLOTS >= (next - gap) % SLOTS) {
        slots_[gap] = slots_[next];
        gap = next;
      }
    }
    slots_[gap] = {0, 0};
  }

  /** Forgets all ids; called by several threads, each with its number. */
  __device__ void clear(uint32_t thread, uint32_t threads) {
    for (uint32_t i = thread; i < SLOTS; i += threads) {
      slots_[i] = {0, 0};
    }
  }

 private:
  struct Entry {
    int32_t id;
    /** The row plus one; 0 where there is no entry, which is what fresh memory holds. */
    uint32_t row;
  };

  Entry slots_[SLOTS];

  __device__ static uint32_t hash(int32_t id) {
    uint32_t mixed = static_cast<uint32_t>(id) * 0x9e3779b1;
    return (mixed ^ mixed >> 15) % SLOTS;
  }

  /** The slot that holds an id, or the free one where it belongs. */
  __device__ uint32_t slotOf(int32_t id) const {
    uint32_t slot = hash(id);
    while (slots_[slot].row != 0 && slots_[slot].id != id) {
      slot = (slot + 1) % SLOTS;
    }
    return slot;
  }
};
