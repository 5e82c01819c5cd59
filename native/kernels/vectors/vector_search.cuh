// Exact search over the vectors of a store, which stay on the device: only queries and answers
// travel. Searches run beside each other and beside the writer, of which there is one.
#pragma once

#define RINGKERNEL_MAX_THREADS 512
#include <ringkernel/ring_kernel.cuh>

#include "joint_search.cuh"
#include "pass_search.cuh"
#include "row_list.cuh"
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
  /** The pass is not under way, or not so far. */
  WRONG_PASS = 6
};

class VectorSearch {
 public:
  __device__ VectorSearch(Context& ctx, const VectorSearchRequest& in, VectorSearchResponse& out)
      : ctx_(ctx), in_(in), out_(out), index_(ctx.state<SearchState>().rows), joint_(ctx) {}

  __device__ void handle() {
    bool assists = ctx_.isAssisting();
    uint32_t job = assists ? joint_.enter() : begin();
    if (job != JointSearch::NONE) {
      joint_.job(job).isScan ? scan(job) : joint_.take(job);
    }
    if (!assists) {
      end(job);
    } else if (job != JointSearch::NONE) {
      joint_.leave(job);
    }
  }

 private:
  static constexpr uint32_t MAX_DIMENSIONS = 16384;

  Context& ctx_;
  const VectorSearchRequest& in_;
  VectorSearchResponse& out_;
  DeviceRows& index_;
  JointSearch joint_;

  __device__ bool replaces() const {
    return in_.operation == SearchOperation::RESET || in_.operation == SearchOperation::ATTACH ||
           isRenewal();
  }

  /** Does what is asked; tells the number of the job if others may assist. */
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
    } else if (in_.operation == SearchOperation::SCAN) {
      return beginScan();
    } else {
      operate();
    }
    return JointSearch::NONE;
  }

  /** Ends a job, if there is one. */
  __device__ void end(uint32_t job) {
    if (job != JointSearch::NONE) {
      if (in_.operation == SearchOperation::SCAN) {
        joint_.endScan(job);
      } else {
        answer(joint_.end(job), in_.limit);
      }
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
      case SearchOperation::SELECT:
        select();
        break;
      case SearchOperation::PREPARE:
        prepare();
        break;
      default:
        nearest();
        break;
    }
  }

  __device__ void reset() {
    auto dimensions = static_cast<uint32_t>(in_.dimensions);
    if (dimensions == 0 || dimensions > MAX_DIMENSIONS) {
      ctx_.fail(WRONG_DIMENSIONS);
      return;
    }
    for (uint32_t i = ctx_.lane(); i < DeviceRows::MAX_BLOCKS; i += ctx_.lanes()) {
      index_.blocks[i] = nullptr;
    }
    if (ctx_.lane() == 0) {
      index_.isEuclidean = in_.metric == SimilarityMetric::EUCLIDEAN ? 1 : 0;
      index_.dimensions = dimensions;
      index_.elementType = in_.elementType;
      index_.rows = 0;
      index_.squares = 0;
      for (QueryPass*& pass : index_.passes) {
        pass = nullptr;
      }
      index_.incarnation = in_.incarnation;
    }
  }

  __device__ void attach() {
    bool isBlock = in_.rows.size() == 1;
    bool isColumn = isBlock && in_.codes.size() == 1;
    uint32_t block = isBlock ? in_.rows[0] : 0;
    uint64_t bytes = isColumn  ? RowBlock::ROWS * sizeof(int64_t)
                     : isBlock ? RowBlock::bytes(vectorBytes())
                               : QueryPass::SLOTS * sizeof(QueryPass);
    if (block >= DeviceRows::MAX_BLOCKS || in_.operands.size() != 2 || in_.operands[0] == 0 ||
        static_cast<uint64_t>(in_.operands[1]) < bytes ||
        (isColumn && index_.blocks[block] == nullptr)) {
      ctx_.fail(NO_MEMORY);
    } else if (isColumn) {
      attachColumn(*index_.blocks[block], in_.codes[0] & 0xff);
    } else if (isBlock) {
      auto* rows = reinterpret_cast<RowBlock*>(in_.operands[0]);
      rows->clear(ctx_.lane(), ctx_.lanes());
      if (ctx_.lane() == 0) {
        index_.blocks[block] = rows;
      }
    } else {
      attachPasses(reinterpret_cast<QueryPass*>(in_.operands[0]));
    }
  }

  __device__ void attachPasses(QueryPass* passes) {
    for (uint32_t i = 0; i < QueryPass::SLOTS; i++) {
      passes[i].clear(ctx_.lane(), ctx_.lanes());
      if (ctx_.lane() == 0) {
        index_.passes[i] = passes + i;
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

  /** How large a vector of the index is. */
  __device__ uint32_t vectorBytes() const {
    uint32_t bytes = 0;
    withElements(index_.elementType,
                 [&](auto elements) { bytes = index_.vectorBytes<decltype(elements)>(); });
    return bytes;
  }

  /** Writes the vector of a row, and empties its cells; called by all lanes of a warp. */
  __device__ void write(uint32_t row, const float* vector) {
    RowBlock& block = *index_.blockOf(row);
    uint32_t place = row % RowBlock::ROWS;
    uint32_t bytes = vectorBytes();
    uint32_t lane = ctx_.lane() % machine::WARP;
    float squares = 0;
    for (uint32_t d = lane; d < index_.dimensions; d += machine::WARP) {
      squares = fmaf(vector[d], vector[d], squares);
    }
    for (uint32_t mask = machine::WARP / 2; mask > 0; mask /= 2) {
      squares += __shfl_xor_sync(machine::ALL_LANES, squares, mask);
    }
    withElements(index_.elementType, [&](auto elements) {
      using Elements = decltype(elements);
      float scale = ElementWriter<Elements>(index_.dimensions, lane)
                        .write(vector, block.vector(place, bytes));
      if (lane == 0) {
        *block.scale(place, bytes) = scale;
        // Of numbers that are not negative the bits have the same order.
        atomicMax(&index_.squares,
                  __float_as_uint(Elements::squares(squares, scale, index_.dimensions)));
      }
    });
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

  /** Tells the job that searches. */
  __device__ uint32_t query() {
    RowFilter filter = rowFilter();
    auto shard = static_cast<uint32_t>(in_.shard);
    auto limit = static_cast<uint32_t>(in_.limit);
    if (in_.vectors.size() != index_.dimensions) {
      ctx_.fail(WRONG_DIMENSIONS);
    } else if (limit < 1 || limit > TopK::MAX || in_.shards < 1 ||
               shard >= static_cast<uint32_t>(in_.shards)) {
      ctx_.fail(WRONG_LIMIT);
    } else if (!filter.isValid()) {
      ctx_.fail(WRONG_CODES);
    } else {
      return joint_.begin(in_, end(), SimilarityKey::of(in_.afterSimilarity, in_.afterRow));
    }
    return JointSearch::NONE;
  }

  /** @param count how many keys there may be; the response ends with the last one */
  __device__ void answer(const uint64_t* keys, uint32_t count) {
    while (count > 0 && keys[count - 1] == UINT64_MAX) {
      count--;
    }
    auto rows = out_.rows.resize(ctx_, count);
    auto similarities = out_.similarities.resize(ctx_, count);
    for (uint32_t i = ctx_.lane(); i < count; i += ctx_.lanes()) {
      rows[i] = SimilarityKey::row(keys[i]);
      similarities[i] = SimilarityKey::similarity(keys[i]);
    }
  }

  /** Whether the request lets go of a pass that has failed: its other requests have ended then. */
  __device__ bool isRenewal() const {
    return in_.operation == SearchOperation::PREPARE && in_.vectors.size() == 0;
  }

  /** The pass of the request; null if it has no memory. */
  __device__ QueryPass* pass() const {
    return in_.rows.size() > 0 ? index_.passes[passId() % QueryPass::SLOTS] : nullptr;
  }

  __device__ uint32_t passId() const { return in_.rows[0]; }

  /** Whether the request is of a pass before, and comes late. */
  __device__ bool isEarlier(const QueryPass& pass) const {
    uint32_t id = machine::peek(pass.id);
    return id != 0 && static_cast<int32_t>(passId() - id) < 0;
  }

  /** Takes some of the queries of a pass. */
  __device__ void prepare() {
    QueryPass* pass = this->pass();
    uint32_t first = in_.rows.size() == 4 ? in_.rows[1] : 0;
    uint32_t count = in_.rows.size() == 4 ? in_.rows[2] : 0;
    uint32_t kept = in_.rows.size() == 4 ? in_.rows[3] : 0;
    uint32_t queries = in_.vectors.size() / index_.dimensions;
    if (pass == nullptr) {
      ctx_.fail(NO_MEMORY);
    } else if (in_.vectors.size() != queries * index_.dimensions || first > count ||
               queries > count - first) {
      ctx_.fail(WRONG_DIMENSIONS);
    } else if (isEarlier(*pass)) {
      ctx_.fail(WRONG_PASS);
    } else if (isRenewal()) {
      ctx_.sync();
      if (ctx_.lane() == 0) {
        pass->id = passId();
        pass->count = 0;
      }
    } else if (!QueryPass::holds(count, index_.dimensions, in_.limit, kept, in_.shards)) {
      ctx_.fail(WRONG_LIMIT);
    } else {
      // All have looked.
      ctx_.sync();
      if (ctx_.lane() == 0) {
        pass->id = passId();
        pass->count = count;
        pass->limit = in_.limit;
        pass->kept = kept;
        pass->shards = in_.shards;
        pass->squares = __uint_as_float(machine::peek(index_.squares));
      }
      ctx_.sync();
      uint32_t warps = ctx_.lanes() / machine::WARP;
      for (uint32_t i = ctx_.lane() / machine::WARP; i < queries; i += warps) {
        withElements(index_.elementType, [&](auto elements) {
          pass->take<decltype(elements)>(first + i, in_.vectors.data() + i * index_.dimensions,
                                         index_.dimensions, ctx_.lane() % machine::WARP);
        });
      }
    }
  }

  /** Whether the pass of the request is under way. */
  __device__ bool isUnderWay(const QueryPass* pass) const {
    return pass != nullptr && pass->id == passId();
  }

  /** Tells the job that scans. */
  __device__ uint32_t beginScan() {
    RowFilter filter = rowFilter();
    QueryPass* pass = this->pass();
    if (!isUnderWay(pass)) {
      ctx_.fail(WRONG_PASS);
      return JointSearch::NONE;
    }
    RowSelection selection(index_, filter, in_.epoch, end());
    auto first = static_cast<uint32_t>(in_.shard);
    auto parts = static_cast<uint32_t>(in_.shards);
    if (first >= pass->shards || parts < 1 || parts > pass->shards - first ||
        !PassSearch<Float32Elements>(ctx_, selection, SearchScratch::ofBlock(), *pass).hasRoom()) {
      ctx_.fail(WRONG_LIMIT);
    } else if (!filter.isValid()) {
      ctx_.fail(WRONG_CODES);
    } else {
      return joint_.begin(in_, selection.end(), 0);
    }
    return JointSearch::NONE;
  }

  /** Scans parts of the rows until all are drawn. */
  __device__ void scan(uint32_t number) {
    const SearchJob& job = joint_.job(number);
    RowFilter filter(job.codes, job.codeCount, job.operands, job.operandCount);
    RowSelection selection(index_, filter, job.epoch, job.end);
    QueryPass& pass = *index_.passes[job.pass % QueryPass::SLOTS];
    for (uint32_t part; joint_.drawPart(number, part);) {
      withElements(index_.elementType, [&](auto elements) {
        PassSearch<decltype(elements)>(ctx_, selection, SearchScratch::ofBlock(), pass).scan(part);
      });
    }
  }

  /** Finds the rows that are nearest to a query of a pass. */
  __device__ void nearest() {
    RowFilter filter = rowFilter();
    QueryPass* pass = this->pass();
    uint32_t query = in_.rows.size() == 2 ? in_.rows[1] : QueryPass::MAX_QUERIES;
    if (!isUnderWay(pass) || query >= pass->count) {
      ctx_.fail(WRONG_PASS);
      return;
    }
    RowSelection selection(index_, filter, in_.epoch, 0);
    if (!PassSearch<Float32Elements>(ctx_, selection, SearchScratch::ofBlock(), *pass)
             .isScanned()) {
      ctx_.fail(WRONG_PASS);
      return;
    }
    const uint64_t* keys = nullptr;
    withElements(index_.elementType, [&](auto elements) {
      PassSearch<decltype(elements)> search(ctx_, selection, SearchScratch::ofBlock(), *pass);
      keys = search.nearest(query);
    });
    if (keys != nullptr) {
      answer(keys, pass->limit);
    } else if (ctx_.lane() == 0) {
      out_.outcome = SearchOutcome::UNPROVEN;
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
      uint32_t count = RowList(ctx_, selection, SearchScratch::ofBlock())
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
