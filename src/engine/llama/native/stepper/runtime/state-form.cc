#include "state-form.h"

#include <algorithm>
#include <cstring>

namespace hearth {
namespace {

/** A mark of llama.cpp, and the number of the sequence. */
constexpr size_t head_bytes = 2 * sizeof(uint32_t);

void append(std::vector<uint8_t> &to, uint32_t number, uint32_t times = 1) {
  for (uint32_t time = 0; time < times; time++) {
    const auto *const bytes = reinterpret_cast<const uint8_t *>(&number);
    to.insert(to.end(), bytes, bytes + sizeof(number));
  }
}

uint32_t number_at(const uint8_t *bytes) {
  uint32_t number;
  std::memcpy(&number, bytes, sizeof(number));
  return number;
}

/**
 * Appends the cells as `streams` parts have them. They are written as the number of parts, and for each part the number of
 * its cells with their content: only the sequence's own part has some. False: these are not written so.
 */
bool append_cells(std::vector<uint8_t> &to, const uint8_t *cells, size_t size, const StateForm &form, uint32_t streams) {
  const size_t before = sizeof(uint32_t) * (1 + form.stream);
  const size_t after = sizeof(uint32_t) * (form.streams - 1 - form.stream);
  if (size < before + sizeof(uint32_t) + after || number_at(cells) != form.streams) return false;
  const auto is_zero = [](uint8_t byte) { return byte == 0; };
  if (!std::all_of(cells + sizeof(uint32_t), cells + before, is_zero)) return false;
  if (!std::all_of(cells + size - after, cells + size, is_zero)) return false;
  append(to, streams);
  to.insert(to.end(), cells + before, cells + size - after);
  append(to, 0, streams - 1);
  return true;
}

} // namespace

std::vector<uint8_t> reshape_state(const uint8_t *bytes, size_t size, const StateForm &form, uint32_t streams,
                                   bool has_windows) {
  if (size < head_bytes || form.whole_cells > size - head_bytes || form.stream >= form.streams) return {};
  std::vector<uint8_t> reshaped;
  reshaped.reserve(size + streams * 2 * sizeof(uint32_t));
  reshaped.insert(reshaped.end(), bytes, bytes + head_bytes);
  const uint8_t *const rest = bytes + head_bytes + form.whole_cells;
  const size_t rest_size = size - head_bytes - form.whole_cells;
  if (form.whole_cells > 0 && !append_cells(reshaped, bytes + head_bytes, form.whole_cells, form, streams)) return {};
  if (has_windows && rest_size > 0) {
    if (!append_cells(reshaped, rest, rest_size, form, streams)) return {};
  } else {
    reshaped.insert(reshaped.end(), rest, rest + rest_size);
  }
  return reshaped;
}

} // namespace hearth
