// Where the vector of an id is stored: a hash table with linear probing, used by one thread at a
// time, or by readers only. It knows its entries by their distance: what is saved of a state lies
// elsewhere when it is restored.
#pragma once

#include <cstdint>

class IdIndex {
 public:
  static constexpr int32_t UNKNOWN = -1;

  struct Entry {
    int32_t id;
    /** The row plus one; 0 where there is no entry. */
    uint32_t row;
  };

  /** How many entries an index of so many ids is made of: a power of two, at least half free. */
  __device__ static uint64_t entriesFor(uint64_t ids) {
    uint64_t entries = 2;
    while (entries < 2 * ids) {
      entries *= 2;
    }
    return entries;
  }

  /** Says where the entries lie. They are to be cleared before they are used. */
  __device__ void place(Entry* entries, uint32_t count) {
    distance_ = reinterpret_cast<uint8_t*>(entries) - reinterpret_cast<uint8_t*>(this);
    mask_ = count - 1;
  }

  /** The row of an id. */
  __device__ int32_t find(int32_t id) const {
    return static_cast<int32_t>(entries()[placeOf(id)].row) - 1;
  }

  /** Sets the row of an id, which may be known. There is always a free entry. */
  __device__ void put(int32_t id, uint32_t row) { entries()[placeOf(id)] = {id, row + 1}; }

  /** Forgets an id, and closes the gap: later entries of the same run move up. */
  __device__ void remove(int32_t id) {
    uint32_t gap = placeOf(id);
    for (uint32_t next = gap;;) {
      next = (next + 1) & mask_;
      if (entries()[next].row == 0) {
        break;
      }
      uint32_t home = hash(entries()[next].id);
      if (((next - home) & mask_) >= ((next - gap) & mask_)) {
        entries()[gap] = entries()[next];
        gap = next;
      }
    }
    entries()[gap] = {0, 0};
  }

  /** Forgets all ids; called by several threads, each with its number. */
  __device__ void clear(uint32_t thread, uint32_t threads) {
    for (uint64_t i = thread; i <= mask_; i += threads) {
      entries()[i] = {0, 0};
    }
  }

 private:
  /** How many bytes behind this object the entries begin. */
  int64_t distance_;
  uint32_t mask_;

  __device__ Entry* entries() const {
    return reinterpret_cast<Entry*>(reinterpret_cast<uintptr_t>(this) + distance_);
  }

  __device__ uint32_t hash(int32_t id) const {
    uint32_t mixed = static_cast<uint32_t>(id) * 0x9e3779b1;
    return (mixed ^ mixed >> 15) & mask_;
  }

  /** The place of the entry of an id, or the free one where it belongs. */
  __device__ uint32_t placeOf(int32_t id) const {
    uint32_t place = hash(id);
    const Entry* all = entries();
    while (all[place].row != 0 && all[place].id != id) {
      place = (place + 1) & mask_;
    }
    return place;
  }
};
