// How llama.cpp writes the state of a sequence, which depends on whether sequences share their cells.
#pragma once
#include <cstddef>
#include <cstdint>
#include <vector>

namespace hearth {

/** Stands behind the bytes of a state. */
struct StateForm {
  /** Bytes of the cells of layers that look at all tokens; 0: a partial state. */
  uint64_t whole_cells;
  /** Parts that the cells were divided into, and the one that the sequence had. */
  uint32_t streams;
  uint32_t stream;
};

/**
 * A state of `form`, without that form, as a context whose cells are divided into `streams` parts reads it. `has_windows`:
 * what follows the cells of layers that look at all tokens are cells, too. Empty where it is not as expected.
 */
std::vector<uint8_t> reshape_state(const uint8_t *bytes, size_t size, const StateForm &form, uint32_t streams,
                                   bool has_windows);

} // namespace hearth
