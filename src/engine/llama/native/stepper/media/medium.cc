#include "medium.h"

namespace hearth {

Medium::Medium(std::shared_ptr<const MtmdApi> api, mtmd_input_chunk *chunk)
    : api_(std::move(api)), chunk_(chunk), cells_(static_cast<int>(api_->mtmd_input_chunk_get_n_tokens(chunk))),
      positions_(api_->mtmd_input_chunk_get_n_pos(chunk)) {}

Medium::~Medium() { api_->mtmd_input_chunk_free(chunk_); }

void Medium::set_embeddings(std::vector<float> embeddings) {
  embeddings_ = std::move(embeddings);
  mtmd_input_chunk *const light = api_->mtmd_input_chunk_get_placeholder(chunk_);
  if (light == nullptr) return;
  api_->mtmd_input_chunk_free(chunk_);
  chunk_ = light;
}

std::vector<llama_pos> Medium::positions_of(int begin, int offset, int count, int dimensions) const {
  std::vector<llama_pos> positions(static_cast<size_t>(count) * dimensions);
  const mtmd_image_tokens *const image = api_->mtmd_input_chunk_get_tokens_image(chunk_);
  for (int at = 0; at < count; at++) {
    if (dimensions == 1 || image == nullptr) {
      for (int dimension = 0; dimension < dimensions; dimension++)
        positions[at + dimension * count] = begin + offset + at;
      continue;
    }
    const mtmd_decoder_pos place = api_->mtmd_image_tokens_get_decoder_pos(image, begin, offset + at);
    const uint32_t coordinates[] = {place.t, place.y, place.x, place.z};
    for (int dimension = 0; dimension < dimensions; dimension++)
      positions[at + dimension * count] = static_cast<llama_pos>(coordinates[dimension]);
  }
  return positions;
}

} // namespace hearth
