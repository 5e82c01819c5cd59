// Which rows a search considers: the machine of io.ringkernel.spring.ai.search.FilterProgram, whose
// stack is a word here, as each thread looks at one row.
#pragma once

#include "device_rows.cuh"

class RowFilter {
 public:
  __device__ RowFilter(const int32_t* codes, uint32_t codeCount, const int64_t* operands,
                       uint32_t operandCount)
      : codes_(codes), codeCount_(codeCount), operands_(operands), operandCount_(operandCount) {}

  /** Every instruction is known, and every range has its operands. */
  __device__ bool isValid() const {
    uint32_t operands = 0;
    for (uint32_t i = 0; i < codeCount_; i++) {
      uint32_t code = static_cast<uint32_t>(codes_[i]) >> 8;
      operands += code == RANGE ? 2 : 0;
      if (code > FALSE) {
        return false;
      }
    }
    return operands == operandCount_;
  }

  __device__ bool matches(const RowBlock& block, uint32_t row) const {
    uint64_t stack = codeCount_ == 0 ? 1 : 0;
    uint32_t operand = 0;
#pragma unroll 1
    for (uint32_t i = 0; i < codeCount_; i++) {
      uint32_t code = static_cast<uint32_t>(codes_[i]);
      uint64_t upper = stack & 1;
      switch (code >> 8) {
        case RANGE:
          stack = stack << 1 | isWithin(block, row, code & 0xff, operand);
          operand += 2;
          break;
        case AND:
          stack = stack >> 1 & (upper | ~1ull);
          break;
        case OR:
          stack = stack >> 1 | upper;
          break;
        case NOT:
          stack ^= 1;
          break;
        case TRUE:
          stack = stack << 1 | 1;
          break;
        default:
          stack <<= 1;
          break;
      }
    }
    return (stack & 1) != 0;
  }

 private:
  enum Instruction : uint32_t { RANGE, AND, OR, NOT, TRUE, FALSE };

  const int32_t* codes_;
  uint32_t codeCount_;
  const int64_t* operands_;
  uint32_t operandCount_;

  __device__ uint64_t isWithin(const RowBlock& block, uint32_t row, uint32_t column,
                               uint32_t operand) const {
    const int64_t* cells = block.cells(column);
    if (cells == nullptr) {
      return 0;
    }
    auto cell = static_cast<int64_t>(
        ringkernel::machine::loadDevice(reinterpret_cast<const unsigned long long*>(cells + row)));
    return operands_[operand] <= cell && cell <= operands_[operand + 1] ? 1 : 0;
  }
};
