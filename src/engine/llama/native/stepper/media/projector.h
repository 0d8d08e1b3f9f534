// The part of a model by which it sees or hears, from a file of its own.
#pragma once
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "encoder.h"
#include "medium.h"
#include "stepper.h"

namespace hearth {

/** A piece of what stands for a medium in a prompt: tokens around it, or a part of the medium itself. */
struct PromptPiece {
  std::vector<int> tokens;
  std::shared_ptr<Medium> medium;
};

/** What speaks in one sequence of the context. */
struct Mouth {
  /** It has a copy of the model's embeddings of tokens, which takes 1.2 GB for 150,000 tokens of 2,048 numbers. */
  mtmd_helper_gen_audio *generator = nullptr;
  /** The voice that the first cells of the sequence hold; empty: none. */
  std::shared_ptr<Medium> voice;
};

struct ProjectorOptions {
  std::string file;
  int threads;
  bool uses_gpu;
};

/** Throws std::runtime_error with what the library said last after `what`. */
[[noreturn]] void fail_in_mtmd(const char *what);

class Projector {
public:
  /** Opens the file for the stepper's model. Throws std::runtime_error with what is wrong. */
  Projector(std::shared_ptr<const MtmdApi> api, std::shared_ptr<Stepper> stepper, const ProjectorOptions &options);
  ~Projector();
  Projector(const Projector &) = delete;
  Projector &operator=(const Projector &) = delete;

  /** Gives the memory back. Nothing else may be called after it. */
  void close();

  const MtmdApi &api() const { return *api_; }
  mtmd_context *library_context() const { return context_; }
  Context &context() const { return stepper_->context(); }

  bool sees() const { return api_->mtmd_support_vision(context_); }
  /** Bytes of what stands in place of one token. */
  size_t embedding_bytes() const { return embedding_size() * sizeof(float); }
  /** Samples per second that it hears; -1: it is deaf. */
  int sample_rate() const { return api_->mtmd_get_audio_sample_rate(context_); }

  /** What it speaks with; of the type NONE where it is mute. */
  mtmd_gen_audio_info speech() const { return api_->mtmd_gen_audio_get_info(context_); }
  /** Kept for what is said in the sequence next. */
  Mouth &mouth(int sequence);

  /** What stands for a picture of `width` × `height` pixels of three bytes in a prompt. */
  std::vector<PromptPiece> prepare_picture(uint32_t width, uint32_t height, const unsigned char *pixels) const;
  std::vector<PromptPiece> prepare_sound(const float *samples, size_t count) const;

  /** True once `medium` is encoded. Computes for about `most_ms`. Throws std::runtime_error. */
  bool advance(const std::shared_ptr<Medium> &medium, double most_ms);
  /** True once `task`, which is `work` in one go, is done. Computes for about `most_ms`. Throws what `work` throws. */
  bool advance(const std::shared_ptr<const void> &task, double most_ms, std::function<void()> work) {
    return encoder_.advance(task, most_ms, std::move(work));
  }
  void abandon() { encoder_.abandon(); }

  /** All cells of `medium` have to be decoded at once, because each of them looks at all of them. */
  bool is_whole(const Medium &medium) const { return api_->mtmd_decode_use_non_causal(context_, medium.chunk()); }

  /** Decodes `count` cells of `medium` from `offset` on; its first one stands at position `begin` of the sequence. */
  void decode(const Medium &medium, int sequence, int begin, int offset, int count);

private:
  /** Numbers of one embedding that the model takes in place of a token. */
  size_t embedding_size() const;
  std::vector<PromptPiece> prepare(mtmd_bitmap *bitmap) const;

  std::shared_ptr<const MtmdApi> api_;
  std::shared_ptr<Stepper> stepper_;
  mtmd_context *context_ = nullptr;
  Encoder encoder_;
  std::map<int, Mouth> mouths_;
};

} // namespace hearth
