#include "projector.h"

#include <stdexcept>

namespace hearth {

void fail_in_mtmd(const char *what) {
  const std::string trouble = take_mtmd_trouble();
  throw std::runtime_error(trouble.empty() ? what : std::string(what) + ": " + trouble);
}

Projector::Projector(std::shared_ptr<const MtmdApi> api, std::shared_ptr<Stepper> stepper, const ProjectorOptions &options)
    : api_(std::move(api)), stepper_(std::move(stepper)) {
  mtmd_context_params params = api_->mtmd_context_params_default();
  params.use_gpu = options.uses_gpu;
  params.n_threads = options.threads;
  params.print_timings = false;
  // On a GPU a picture takes a fraction of a second, and pieces would cost more than they are worth.
  if (!options.uses_gpu) {
    params.cb_eval = Encoder::between_pieces;
    params.cb_eval_user_data = &encoder_;
  }
  take_mtmd_trouble();
  context_ = api_->mtmd_init_from_file(options.file.c_str(), stepper_->context().model(), params);
  if (context_ == nullptr) fail_in_mtmd("the projector cannot be opened for this model");
}

Projector::~Projector() { close(); }

void Projector::close() {
  encoder_.abandon();
  for (const auto &[sequence, mouth] : mouths_) api_->mtmd_helper_gen_audio_free(mouth.generator);
  mouths_.clear();
  api_->mtmd_free(context_);
  context_ = nullptr;
}

Mouth &Projector::mouth(int sequence) {
  Mouth &mouth = mouths_[sequence];
  if (mouth.generator == nullptr)
    mouth.generator = api_->mtmd_helper_gen_audio_init(stepper_->context().handle(), context_);
  return mouth;
}

size_t Projector::embedding_size() const {
  const Context &context = stepper_->context();
  return context.api().llama_model_n_embd_inp(context.model());
}

std::vector<PromptPiece> Projector::prepare_picture(uint32_t width, uint32_t height,
                                                    const unsigned char *pixels) const {
  return prepare(api_->mtmd_bitmap_init(width, height, pixels));
}

std::vector<PromptPiece> Projector::prepare_sound(const float *samples, size_t count) const {
  return prepare(api_->mtmd_bitmap_init_from_audio(count, samples));
}

std::vector<PromptPiece> Projector::prepare(mtmd_bitmap *bitmap) const {
  const std::unique_ptr<mtmd_bitmap, decltype(api_->mtmd_bitmap_free)> owned(bitmap, api_->mtmd_bitmap_free);
  const std::unique_ptr<mtmd_input_chunks, decltype(api_->mtmd_input_chunks_free)> chunks(
      api_->mtmd_input_chunks_init(), api_->mtmd_input_chunks_free);
  // Nothing but its marker is ever given to the library as text, so that no message can hold one.
  const std::string marker = api_->mtmd_default_marker();
  const mtmd_input_text text = {marker.data(), marker.size(), false, true};
  const mtmd_bitmap *const bitmaps[] = {bitmap};
  take_mtmd_trouble();
  if (api_->mtmd_tokenize(context_, chunks.get(), &text, bitmaps, 1) != 0) fail_in_mtmd("it cannot be prepared");
  std::vector<PromptPiece> pieces;
  for (size_t at = 0; at < api_->mtmd_input_chunks_size(chunks.get()); at++) {
    const mtmd_input_chunk *const chunk = api_->mtmd_input_chunks_get(chunks.get(), at);
    if (api_->mtmd_input_chunk_get_type(chunk) == MTMD_INPUT_CHUNK_TYPE_TEXT) {
      size_t count = 0;
      const llama_token *const tokens = api_->mtmd_input_chunk_get_tokens_text(chunk, &count);
      pieces.push_back({std::vector<int>(tokens, tokens + count), nullptr});
    } else
      pieces.push_back({{}, std::make_shared<Medium>(api_, api_->mtmd_input_chunk_copy(chunk))});
  }
  return pieces;
}

bool Projector::advance(const std::shared_ptr<Medium> &medium, double most_ms) {
  if (!medium->embeddings().empty()) return true;
  return encoder_.advance(medium, most_ms, [this, medium] {
    take_mtmd_trouble();
    if (api_->mtmd_encode_chunk(context_, medium->chunk()) != 0) fail_in_mtmd("it cannot be encoded");
    const float *const numbers = api_->mtmd_get_output_embd(context_);
    medium->set_embeddings({numbers, numbers + static_cast<size_t>(medium->cells()) * embedding_size()});
  });
}

void Projector::decode(const Medium &medium, int sequence, int begin, int offset, int count) {
  if (medium.embeddings().empty()) throw std::runtime_error("it is not encoded");
  const int dimensions = api_->mtmd_decode_use_mrope(context_) ? 4 : 1;
  const size_t first = static_cast<size_t>(offset) * embedding_size();
  stepper_->context().decode_embeddings(medium.embeddings().data() + first,
                              medium.positions_of(begin, offset, count, dimensions), count, sequence,
                              is_whole(medium));
}

} // namespace hearth
