// Exact search over the vectors of a store, which stay on the device: only queries and answers
// travel. Searches run beside each other and beside the writer, of which there is one.
#pragma once

#define RINGKERNEL_MAX_THREADS 512
#include <ringkernel/ring_kernel.cuh>

#include "joint_search.cuh"
#include "row_search.cuh"
#include "vector_search_messages.cuh"

/** The codes with which a request fails. */
enum SearchFailed : int32_t {
  /** Vectors are of another length than the index has, or the index cannot have theirs. */
  WRONG_DIMENSIONS = 1,
  /** A row lies in a block without memory, or what is attached is none or too little. */
  NO_MEMORY = 2,
  /** There is no such shard, or so many rows cannot be returned. */
  WRONG_LIMIT = 3,
  /** The filter is no program, or the cells are none of the rows. */
  WRONG_CODES = 4,
  /** The index is to keep elements as another image does. */
  WRONG_ELEMENT_TYPE = 5
};

template <class Elements>
class VectorSearch {
 public:
  __device__ VectorSearch(Context& ctx, const VectorSearchRequest& in, VectorSearchResponse& out)
      : ctx_(ctx), in_(in), out_(out), index_(ctx.state<SearchState>().rows), joint_(ctx) {}

  __device__ void handle() {
    bool assists = ctx_.isAssisting();
    uint32_t job = assists ? joint_.enter() : begin();
    if (job != JointSearch<Elements>::NONE) {
      joint_.take(job);
    }
    if (!assists) {
      end(job);
    } else if (job != JointSearch<Elements>::NONE) {
      joint_.leave(job);
    }
  }

 private:
  using Part = typename Elements::Part;

  static constexpr uint32_t MAX_DIMENSIONS = 16384;

  Context& ctx_;
  const VectorSearchRequest& in_;
  VectorSearchResponse& out_;
  DeviceRows& index_;
  JointSearch<Elements> joint_;

  __device__ bool replaces() const {
    return in_.operation == SearchOperation::RESET || in_.operation == SearchOperation::ATTACH;
  }

  /** Does what is asked; tells the number of the job if that is to find what is nearest. */
  __device__ uint32_t begin() {
    if (ctx_.lane() == 0) {
      replaces() ? index_.lock.lock() : index_.lock.lockShared();
    }
    ctx_.sync();
    if (in_.operation == SearchOperation::RESET) {
      reset();
    } else if (index_.incarnation != in_.incarnation) {
      if (ctx_.lane() == 0) {
        out_.outcome = SearchOutcome::STALE;
      }
    } else if (in_.operation == SearchOperation::QUERY) {
      return query();
    } else {
      operate();
    }
    return JointSearch<Elements>::NONE;
  }

  /** Answers a query if there is a job. */
  __device__ void end(uint32_t job) {
    if (job != JointSearch<Elements>::NONE) {
      answer(joint_.end(job), in_.limit, true);
    }
    // All are done with the index.
    ctx_.sync();
    if (ctx_.lane() == 0) {
      replaces() ? index_.lock.unlock() : index_.lock.unlockShared();
    }
  }

  __device__ void operate() {
    switch (in_.operation) {
      case SearchOperation::ATTACH:
        attach();
        break;
      case SearchOperation::STAGE:
        stage();
        break;
      case SearchOperation::RETIRE:
        retire();
        break;
      default:
        select();
        break;
    }
  }

  __device__ void reset() {
    auto dimensions = static_cast<uint32_t>(in_.dimensions);
    if (dimensions == 0 || dimensions > MAX_DIMENSIONS) {
      ctx_.fail(WRONG_DIMENSIONS);
      return;
    }
    if (in_.elementType != Elements::TYPE) {
      ctx_.fail(WRONG_ELEMENT_TYPE);
      return;
    }
    for (uint32_t i = ctx_.lane(); i < DeviceRows::MAX_BLOCKS; i += ctx_.lanes()) {
      index_.blocks[i] = nullptr;
    }
    if (ctx_.lane() == 0) {
      index_.isEuclidean = in_.metric == SimilarityMetric::EUCLIDEAN ? 1 : 0;
      index_.dimensions = dimensions;
      index_.rows = 0;
      index_.incarnation = in_.incarnation;
    }
  }

  __device__ void attach() {
    uint32_t block = in_.rows.size() == 1 ? in_.rows[0] : DeviceRows::MAX_BLOCKS;
    bool isColumn = in_.codes.size() == 1;
    uint64_t bytes = isColumn ? RowBlock::ROWS * sizeof(int64_t)
                              : RowBlock::bytes(index_.vectorBytes<Elements>());
    if (block >= DeviceRows::MAX_BLOCKS || in_.operands.size() != 2 || in_.operands[0] == 0 ||
        static_cast<uint64_t>(in_.operands[1]) < bytes ||
        (isColumn && index_.blocks[block] == nullptr)) {
      ctx_.fail(NO_MEMORY);
    } else if (isColumn) {
      attachColumn(*index_.blocks[block], in_.codes[0] & 0xff);
    } else {
      auto* rows = reinterpret_cast<RowBlock*>(in_.operands[0]);
      rows->clear(ctx_.lane(), ctx_.lanes());
      if (ctx_.lane() == 0) {
        index_.blocks[block] = rows;
      }
    }
  }

  __device__ void attachColumn(RowBlock& block, uint32_t column) {
    auto* cells = reinterpret_cast<int64_t*>(in_.operands[0]);
    for (uint32_t i = ctx_.lane(); i < RowBlock::ROWS; i += ctx_.lanes()) {
      cells[i] = RowBlock::ABSENT;
    }
    if (ctx_.lane() == 0) {
      block.attach(column, cells);
    }
  }

  /** Whether all rows of the request have memory. */
  __device__ bool haveMemory() const {
    for (int32_t row : in_.rows) {
      if (index_.blockOf(row) == nullptr) {
        return false;
      }
    }
    return true;
  }

  /** Whether each cell is of a row of the request and of a column that has memory there. */
  __device__ bool haveColumns() const {
    if (in_.operands.size() != in_.codes.size()) {
      return false;
    }
    for (int32_t code : in_.codes) {
      uint32_t index = static_cast<uint32_t>(code) >> 8;
      if (index >= in_.rows.size() ||
          index_.blockOf(in_.rows[index])->cells(code & 0xff) == nullptr) {
        return false;
      }
    }
    return true;
  }

  __device__ void stage() {
    uint32_t count = in_.rows.size();
    if (in_.vectors.size() != count * index_.dimensions) {
      ctx_.fail(WRONG_DIMENSIONS);
    } else if (!haveMemory()) {
      ctx_.fail(NO_MEMORY);
    } else if (!haveColumns()) {
      ctx_.fail(WRONG_CODES);
    } else {
      uint32_t warps = ctx_.lanes() / machine::WARP;
      for (uint32_t i = ctx_.lane() / machine::WARP; i < count; i += warps) {
        write(in_.rows[i], in_.vectors.data() + i * index_.dimensions);
      }
      // The cells are empty before they are filled.
      ctx_.sync();
      for (uint32_t i = ctx_.lane(); i < in_.codes.size(); i += ctx_.lanes()) {
        uint32_t row = in_.rows[static_cast<uint32_t>(in_.codes[i]) >> 8];
        index_.blockOf(row)->cells(in_.codes[i] & 0xff)[row % RowBlock::ROWS] = in_.operands[i];
      }
      ctx_.sync();
      for (uint32_t i = ctx_.lane(); i < count; i += ctx_.lanes()) {
        uint32_t row = in_.rows[i];
        index_.blockOf(row)->stage(row % RowBlock::ROWS, in_.epoch);
        atomicMax(&index_.rows, row + 1);
      }
    }
  }

  /** Writes the vector of a row, and empties its cells; called by all lanes of a warp. */
  __device__ void write(uint32_t row, const float* vector) {
    RowBlock& block = *index_.blockOf(row);
    uint32_t place = row % RowBlock::ROWS;
    uint32_t bytes = index_.vectorBytes<Elements>();
    uint32_t lane = ctx_.lane() % machine::WARP;
    float scale = ElementWriter<Elements>(index_.dimensions, lane)
                      .write(vector, reinterpret_cast<Part*>(block.vector(place, bytes)));
    if (lane == 0) {
      *block.scale(place, bytes) = scale;
    }
    for (uint32_t column = lane; column < RowBlock::COLUMNS; column += machine::WARP) {
      int64_t* cells = block.cells(column);
      if (cells != nullptr) {
        cells[place] = RowBlock::ABSENT;
      }
    }
  }

  __device__ void retire() {
    if (!haveMemory()) {
      ctx_.fail(NO_MEMORY);
      return;
    }
    for (uint32_t i = ctx_.lane(); i < in_.rows.size(); i += ctx_.lanes()) {
      uint32_t row = in_.rows[i];
      index_.blockOf(row)->retire(row % RowBlock::ROWS, in_.epoch);
    }
  }

  /** Answers several vectors; tells the job that searches for one. */
  __device__ uint32_t query() {
    RowFilter filter = rowFilter();
    auto shard = static_cast<uint32_t>(in_.shard);
    auto limit = static_cast<uint32_t>(in_.limit);
    uint32_t queries = in_.vectors.size() / index_.dimensions;
    if (!areQueries(queries)) {
      ctx_.fail(WRONG_DIMENSIONS);
    } else if (limit < 1 || limit > TopK::MAX / queries || in_.shards < 1 ||
               shard >= static_cast<uint32_t>(in_.shards)) {
      ctx_.fail(WRONG_LIMIT);
    } else if (!filter.isValid()) {
      ctx_.fail(WRONG_CODES);
    } else if (queries == 1) {
      uint64_t after = SimilarityKey::of(in_.afterSimilarity, in_.afterRow);
      return joint_.begin(in_, end(), after);
    } else {
      RowSelection selection(index_, filter, in_.epoch, end());
      uint64_t after = SimilarityKey::of(in_.afterSimilarity, in_.afterRow);
      RowSearch<Elements> search(ctx_, selection, SearchScratch::ofBlock());
      RowQueries all{in_.vectors.data(), queries, limit, after};
      answer(search.nearest(all, shard, in_.shards), queries * limit, false);
    }
    return JointSearch<Elements>::NONE;
  }

  /** Whether the vectors are so many. Several are aligned if each is whole units. */
  __device__ bool areQueries(uint32_t queries) const {
    return queries >= 1 && in_.vectors.size() == queries * index_.dimensions &&
           (queries == 1 || (queries <= QueryTile::QUERIES && index_.dimensions % 4 == 0));
  }

  /**
   * @param count how many keys there may be
   * @param trims the response ends with the last key; otherwise row -1 fills it up
   */
  __device__ void answer(const uint64_t* keys, uint32_t count, bool trims) {
    while (trims && count > 0 && keys[count - 1] == UINT64_MAX) {
      count--;
    }
    auto rows = out_.rows.resize(ctx_, count);
    auto similarities = out_.similarities.resize(ctx_, count);
    for (uint32_t i = ctx_.lane(); i < count; i += ctx_.lanes()) {
      bool isRow = keys[i] != UINT64_MAX;
      rows[i] = isRow ? SimilarityKey::row(keys[i]) : -1;
      similarities[i] = isRow ? SimilarityKey::similarity(keys[i]) : 0;
    }
  }

  __device__ void select() {
    RowFilter filter = rowFilter();
    if (in_.limit < 1 || in_.limit > static_cast<int32_t>(TopK::MAX) || in_.afterRow < -1) {
      ctx_.fail(WRONG_LIMIT);
    } else if (!filter.isValid()) {
      ctx_.fail(WRONG_CODES);
    } else {
      RowSelection selection(index_, filter, in_.epoch, end());
      const int32_t* listed;
      uint32_t count = RowSearch<Elements>(ctx_, selection, SearchScratch::ofBlock())
                           .list(in_.afterRow + 1, in_.limit, listed);
      auto rows = out_.rows.resize(ctx_, count);
      for (uint32_t i = ctx_.lane(); i < count; i += ctx_.lanes()) {
        rows[i] = listed[i];
      }
    }
  }

  __device__ RowFilter rowFilter() const {
    return RowFilter(in_.codes.data(), in_.codes.size(), in_.operands.data(), in_.operands.size());
  }

  /**
   * Behind the last row, the same for all threads: the writer may move it meanwhile, for rows that
   * this search does not see.
   */
  __device__ uint32_t end() const {
    uint32_t& own = SearchScratch::ofBlock().ends[(threadIdx.x - ctx_.lane()) / machine::WARP];
    if (ctx_.lane() == 0) {
      own = machine::peek(index_.rows);
    }
    ctx_.sync();
    return own;
  }
};
