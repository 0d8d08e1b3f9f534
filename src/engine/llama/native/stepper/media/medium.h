// A picture or a recording, or a part of one, as a projector hands it to its model: a row of embeddings in place of tokens.
#pragma once
#include <memory>
#include <vector>

#include "mtmd-api.h"

namespace hearth {

class Medium {
public:
  /** Takes `chunk` over. */
  Medium(std::shared_ptr<const MtmdApi> api, mtmd_input_chunk *chunk);
  ~Medium();
  Medium(const Medium &) = delete;
  Medium &operator=(const Medium &) = delete;

  /** How many cells of the context it takes. */
  int cells() const { return cells_; }
  /** By how many positions it moves what follows: fewer than cells where positions have several dimensions. */
  int positions() const { return positions_; }
  const mtmd_input_chunk *chunk() const { return chunk_; }
  /** Empty until it is encoded. */
  const std::vector<float> &embeddings() const { return embeddings_; }

  /** Keeps what was computed of it, and lets the pixels or samples go. */
  void set_embeddings(std::vector<float> embeddings);

  /** Writes where `count` of its cells from `offset` on stand, for a decoder whose positions have `dimensions`. */
  std::vector<llama_pos> positions_of(int begin, int offset, int count, int dimensions) const;

private:
  std::shared_ptr<const MtmdApi> api_;
  mtmd_input_chunk *chunk_;
  int cells_;
  int positions_;
  std::vector<float> embeddings_;
};

} // namespace hearth
