#include "utterance.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <utility>

namespace hearth {
namespace {

/** As many as llama.cpp's own program makes at most: 41 s of sound. Pocket TTS has a limit by the length of the text. */
constexpr int most_frames = 512;

/** Frames that the library turns into sound together. At other frames it would cut its window, and the sound differs. */
int window_frames(mtmd_gen_audio_type type) { return type == MTMD_GEN_AUDIO_TYPE_QWEN3TTS ? 72 : 8; }

/** What llama.cpp's own program draws with. */
constexpr int top_k = 40;
constexpr float top_p = 0.95f;
constexpr float min_p = 0.05f;
constexpr float temperature = 0.8f;

llama_sampler *make_sampler(const LlamaApi &api, const llama_vocab *vocabulary, uint32_t seed) {
  llama_sampler *const chain = api.llama_sampler_chain_init(api.llama_sampler_chain_default_params());
  // Tokens that stand for no sound.
  int32_t count = 0;
  const llama_token *const silent = api.llama_vocab_get_suppress_tokens(vocabulary, &count);
  std::vector<llama_logit_bias> biases;
  for (int32_t at = 0; at < count; at++) biases.push_back({silent[at], -INFINITY});
  const int32_t tokens = api.llama_vocab_n_tokens(vocabulary);
  api.llama_sampler_chain_add(chain, api.llama_sampler_init_logit_bias(tokens, count, biases.data()));
  api.llama_sampler_chain_add(chain, api.llama_sampler_init_top_k(top_k));
  api.llama_sampler_chain_add(chain, api.llama_sampler_init_top_p(top_p, 0));
  api.llama_sampler_chain_add(chain, api.llama_sampler_init_min_p(min_p, 0));
  api.llama_sampler_chain_add(chain, api.llama_sampler_init_temp_ext(temperature, 0, 1));
  api.llama_sampler_chain_add(chain, api.llama_sampler_init_dist(seed));
  return chain;
}

} // namespace

Utterance::Utterance(std::shared_ptr<Projector> projector, UtteranceOptions options)
    : projector_(std::move(projector)), options_(std::move(options)) {
  if (projector_->speech().type == MTMD_GEN_AUDIO_TYPE_QWEN3TTS)
    sampler_ = make_sampler(projector_->context().api(), projector_->context().vocab(), options_.seed);
}

size_t Utterance::state_size() const {
  return projector_->context().api().llama_model_n_embd(projector_->context().model());
}

Utterance::~Utterance() {
  if (sampler_ != nullptr) projector_->context().api().llama_sampler_free(sampler_);
}

void Utterance::advance(int prompt_tokens) {
  projector_->context().attach_threads();
  prompt_tokens_read_ = 0;
  switch (stage_) {
  case Stage::beginning:
    return begin();
  case Stage::reading_prompt:
    return read_prompt(prompt_tokens);
  case Stage::speaking:
    return speak();
  case Stage::over:
    throw std::runtime_error("the utterance is over");
  }
}

void Utterance::begin() {
  const MtmdApi &api = projector_->api();
  if (options_.seed != UINT32_MAX) forget_seed();
  mouth_ = &projector_->mouth(options_.sequence);
  const int held_cells = hold_voice();
  const float silence = 0; // The voice is imitated in place of it.
  const std::unique_ptr<mtmd_bitmap, decltype(api.mtmd_bitmap_free)> speaker(
      options_.voice == nullptr ? nullptr : api.mtmd_bitmap_init_from_audio(1, &silence), api.mtmd_bitmap_free);
  mtmd_helper_gen_audio_inp input = {};
  input.seq_id = options_.sequence;
  input.prompt = options_.text.data();
  input.prompt_len = options_.text.size();
  input.speaker_ref = speaker.get();
  input.lang = options_.language.c_str();
  input.top_k = top_k;
  input.top_p = top_p;
  input.seed = options_.seed;
  input.out_type = MTMD_HELPER_GEN_AUDIO_OUTTYPE_PCM;
  take_mtmd_trouble();
  if (api.mtmd_helper_gen_audio_set_input(mouth_->generator, &input) != 0) fail_in_mtmd("it cannot be spoken");
  if (held_cells > 0) api.hearth_mtmd_pass_over(mouth_->generator, held_cells);
  stage_ = Stage::reading_prompt;
}

/** Has the library imitate the voice. How many cells of it the context holds from before; all else is cut off. */
int Utterance::hold_voice() {
  const Medium *const voice = options_.voice.get();
  if (voice != nullptr) {
    if (voice->embeddings().empty()) throw std::runtime_error("the voice is not encoded");
    projector_->api().hearth_mtmd_use_voice(voice->chunk(), voice->embeddings().data());
    if (mouth_->voice == options_.voice && projector_->context().cut(options_.sequence, voice->cells()))
      return voice->cells();
    missing_voice_cells_ = voice->cells();
  }
  mouth_->voice = nullptr;
  projector_->context().cut(options_.sequence, 0);
  return 0;
}

/** Without it a seed that was used last would go on where it ended: the library begins anew for another seed only. */
void Utterance::forget_seed() const {
  const MtmdApi &api = projector_->api();
  std::vector<float> state(state_size());
  mtmd_gen_inp other = api.mtmd_gen_inp_default(projector_->library_context());
  other.embd = state.data();
  other.seed = options_.seed == 0 ? 1 : 0;
  mtmd_gen_out unused = {};
  api.mtmd_gen_audio_process(projector_->library_context(), &other, &unused);
}

/** A part ends where the voice ends, so that what follows is computed alike whether or not the voice was held before. */
void Utterance::read_prompt(int tokens) {
  const int count = missing_voice_cells_ > 0 ? std::min(tokens, missing_voice_cells_) : tokens;
  take_mtmd_trouble();
  const int left = projector_->api().mtmd_helper_gen_audio_step_prompt(mouth_->generator, count);
  if (left < 0) fail_in_mtmd("its prompt cannot be computed");
  prompt_tokens_read_ = count; // Of the last part it may be fewer, which only makes it seem cheaper.
  if (missing_voice_cells_ > 0) {
    missing_voice_cells_ -= count;
    if (missing_voice_cells_ == 0) mouth_->voice = options_.voice;
  }
  if (left > 0) return;
  const Context &context = projector_->context();
  const float *const state = context.api().llama_get_embeddings_ith(context.handle(), -1);
  if (state == nullptr) throw std::runtime_error("the model computes no states");
  state_.assign(state, state + state_size());
  draw();
  stage_ = Stage::speaking;
}

void Utterance::speak() {
  take_mtmd_trouble();
  const float *next = nullptr;
  bool is_stopped = false;
  if (projector_->api().mtmd_helper_gen_audio_step_gen(mouth_->generator, drawn_, state_.data(), &next, &is_stopped) != 0)
    fail_in_mtmd("a frame cannot be computed");
  if (next != nullptr) {
    frames_++;
    state_.assign(next, next + state_size());
    draw();
  }
  const mtmd_gen_audio_type type = projector_->speech().type;
  if (is_stopped || next == nullptr || (type == MTMD_GEN_AUDIO_TYPE_QWEN3TTS && frames_ == most_frames))
    stage_ = Stage::over;
  if (is_over() || frames_ % window_frames(type) == 0) collect();
}

/** Draws what the next frame begins with, from what was decoded last. */
void Utterance::draw() {
  const Context &context = projector_->context();
  if (sampler_ != nullptr) drawn_ = context.api().llama_sampler_sample(sampler_, context.handle(), -1);
}

void Utterance::collect() {
  int32_t sample_rate = 0;
  const char *data = nullptr;
  size_t bytes = 0;
  int64_t count = 0;
  take_mtmd_trouble();
  if (projector_->api().mtmd_helper_gen_audio_get_output(mouth_->generator, &sample_rate, &data, &bytes, &count) != 0)
    fail_in_mtmd("its sound cannot be computed");
  const float *const samples = reinterpret_cast<const float *>(data);
  samples_.insert(samples_.end(), samples + collected_, samples + count);
  collected_ = static_cast<size_t>(count);
}

std::vector<float> Utterance::take_samples() { return std::exchange(samples_, {}); }

} // namespace hearth
