// A Whisper model in memory, and sessions that transcribe with it: one session per audio, any number per model.
// All that is decided about a text (temperatures, segments, prompts) is decided in TypeScript; here one window of
// 30 s is encoded, and decoded once.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <random>
#include <stdexcept>
#include <string>
#include <vector>

#include "whisper.h"

namespace hearth {

using Token = whisper_token;

/** Mono audio of 16 kHz that somebody else holds. */
struct Samples {
  const float *data;
  size_t count;
};

/** Thrown where a session finds that it was cancelled. */
struct Cancelled : std::runtime_error {
  Cancelled() : std::runtime_error("cancelled") {}
};

/** The weights and the vocabulary; shared by sessions, changed by none of them. */
class Model {
 public:
  /** Throws std::runtime_error where whisper.cpp cannot make sense of the file. */
  Model(const std::string &path, bool use_gpu);

  whisper_context *context() const { return context_.get(); }
  int vocabulary_size() const { return whisper_n_vocab(context()); }
  int text_context() const { return whisper_n_text_ctx(context()); }
  int audio_context() const { return whisper_n_audio_ctx(context()); }
  /** Languages are numbered from 0; 0 of them in a model that knows English only. */
  int language_count() const { return language_count_; }
  /** The distilled models of the first release write none. */
  bool writes_timestamps() const { return writes_timestamps_; }

  /** `text` need not be whole: what the vocabulary has no token for is left out. */
  std::vector<Token> tokenize(const std::string &text) const;
  /** The text's bytes; characters may be cut in two by what is not in `tokens`. Takes text tokens only. */
  std::string text_of(const std::vector<Token> &tokens) const;
  /** Text tokens that stand for no speech, such as brackets and notes. */
  const std::vector<Token> &symbols() const { return symbols_; }

 private:
  struct Free {
    void operator()(whisper_context *context) const { whisper_free(context); }
  };
  std::unique_ptr<whisper_context, Free> context_;
  int language_count_;
  bool writes_timestamps_;
  std::vector<Token> symbols_;
};

struct DecodeOptions {
  /** Text tokens before this window; the last ones that fit are used. */
  std::vector<Token> past;
  int language = 0;
  /** English is written, whatever is spoken. Of no consequence where the model knows one language only. */
  bool translates = false;
  /** 0 takes the most probable token each time. */
  float temperature = 0;
  uint32_t seed = 0;
  int threads = 1;
};

struct DecodedWindow {
  /** Text tokens and timestamps, without the end. */
  std::vector<Token> tokens;
  /** Of each token at temperature 1, and of the end where it came. */
  std::vector<float> logprobs;
  /** Probability of "no speech" at the start of the transcript. */
  double no_speech_prob = 0;
};

/** One audio and the memory to compute with. Only `cancel` may be called while another call runs. */
class Session {
 public:
  explicit Session(std::shared_ptr<const Model> model);

  /** Takes in `samples`, which are not needed afterwards; false where some of them are no numbers. */
  bool set_audio(Samples samples, int threads);
  /** Looks at the 30 s from `offset_frames` on; a frame is 10 ms. */
  void encode(int offset_frames, int threads);
  /** The most probable language of the encoded window. Takes a multilingual model. */
  int detect_language(int threads);
  /** Writes the encoded window's transcript. */
  DecodedWindow decode(const DecodeOptions &options);

  /** Every call from now on, and the one that runs, ends with Cancelled before its next step. */
  void cancel() { cancelled_ = true; }

 private:
  struct Free {
    void operator()(whisper_state *state) const { whisper_free_state(state); }
  };

  /** Runs the decoder over `tokens` behind `past_count` others; the logits of what may follow the last one. */
  const float *advance(const std::vector<Token> &tokens, int past_count, int threads);
  std::vector<Token> beginning(const DecodeOptions &options) const;
  std::vector<Token> task(const DecodeOptions &options) const;
  void check_cancelled() const;

  std::shared_ptr<const Model> model_;
  std::unique_ptr<whisper_state, Free> state_;
  std::atomic<bool> cancelled_{false};
};

/** Start and end in seconds of each stretch of `samples` in which the detector of `model_path` hears speech. */
std::vector<float> detect_speech(const std::string &model_path, Samples samples, int threads);

}  // namespace hearth
