// A text that a model speaks in one sequence of its context: frame after frame, each of them 80 ms of sound.
#pragma once
#include <string>
#include <vector>

#include "projector.h"

namespace hearth {

struct UtteranceOptions {
  int sequence;
  std::string text;
  /** Empty: the model's own. */
  std::string language;
  /** The recording of a voice that is imitated, encoded; empty: none is. */
  std::shared_ptr<Medium> voice;
  /** UINT32_MAX: chance decides. */
  uint32_t seed;
};

/**
 * Several utterances of one projector may take turns after each frame. Those with a seed may not: the projector has one
 * source of chance, so between their first and their last frame it must make no frame of another one.
 */
class Utterance {
public:
  Utterance(std::shared_ptr<Projector> projector, UtteranceOptions options);
  ~Utterance();
  Utterance(const Utterance &) = delete;
  Utterance &operator=(const Utterance &) = delete;

  /**
   * Begins, reads up to `prompt_tokens` of the prompt, which begins with the voice, or makes one frame. Throws
   * std::runtime_error with what is wrong; then, and when it is over, it must not be called again.
   */
  void advance(int prompt_tokens);
  bool is_over() const { return stage_ == Stage::over; }
  /** How many tokens of the prompt the last call read, at most. */
  int prompt_tokens_read() const { return prompt_tokens_read_; }
  /** What was made since it was last asked for. */
  std::vector<float> take_samples();

private:
  enum class Stage { beginning, reading_prompt, speaking, over };
  void begin();
  int hold_voice();
  void read_prompt(int tokens);
  void speak();
  void forget_seed() const;
  /** Numbers of a state of the model. */
  size_t state_size() const;
  void draw();
  void collect();

  std::shared_ptr<Projector> projector_;
  UtteranceOptions options_;
  Mouth *mouth_ = nullptr;
  llama_sampler *sampler_ = nullptr;
  Stage stage_ = Stage::beginning;
  /** Cells of the voice that the context does not hold yet. */
  int missing_voice_cells_ = 0;
  int prompt_tokens_read_ = 0;
  int frames_ = 0;
  llama_token drawn_ = LLAMA_TOKEN_NULL;
  /** The state that the next frame is made of. */
  std::vector<float> state_;
  std::vector<float> samples_;
  size_t collected_ = 0;
};

} // namespace hearth
