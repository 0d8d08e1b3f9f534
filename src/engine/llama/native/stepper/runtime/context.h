// llama.cpp's context: what is decoded, and the memory of its sequences.
#pragma once
#include <atomic>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "machine.h"
#include "state-form.h"

namespace hearth {

struct Adapter {
  std::string file;
  float scale;
};

struct ContextOptions {
  /** Cells of all sequences together. */
  uint32_t cells;
  /** Each sequence takes of all cells as many as it needs; otherwise it has an equal part of its own. */
  bool is_unified;
  uint32_t sequences;
  uint32_t batch_tokens;
  /** Tokens of a step with outputs; 0: all. Steps with more are computed, but `memory` does not count what they need. */
  uint32_t output_tokens;
  int threads;
  llama_flash_attn_type flash_attention;
  ggml_type cache_type;
  /** It computes vectors and no tokens. */
  bool embeds;
  /** It computes one number for a pair of texts. */
  bool ranks;
  /** Tokens of the last step that a recurrent state can forget again, where llama.cpp can have it do so. */
  uint32_t taken_back;
  /** The model's own heads guess what comes next. */
  bool has_heads;
  /** Set by `Heads`: it is the context of these alone. */
  bool is_of_heads;
  std::vector<Adapter> adapters;
};

/** A part of a batch: the next tokens of one sequence. */
struct BatchPart {
  int sequence;
  /** Where its first token stands. */
  int position;
  int count;
  /** From this one of its tokens on, outputs are wanted. */
  int first_output;
};

/** What `target` holds before `position` lies in the cells of `source`, a sequence before it. */
struct SharedPrefix {
  int source;
  int target;
  int position;
};

struct ContextMemory {
  /** Bytes of the caches, the buffers that steps are computed in and the graphs of steps: in main memory, then on each GPU. */
  std::vector<double> own;
  /** The same of its model, which others may use, too. */
  std::vector<double> weights;
};

struct Batch {
  /** Of all parts, one after the other. */
  std::vector<llama_token> tokens;
  std::vector<BatchPart> parts;
};

/** What draft heads read: each token with the row that the model, or a head, computed for what stands before it. */
struct HeadBatch {
  std::vector<llama_token> tokens;
  std::vector<float> rows;
  std::vector<llama_pos> positions;
  std::vector<llama_seq_id> sequences;
  /** Whether a guess of what follows is wanted. */
  std::vector<int8_t> wanted;
};

class Heads;

/**
 * A context of a model that node-llama-cpp has loaded. One call at a time. It is freed by `close` alone, before its model:
 * where JavaScript ends without that, the model may be gone already, and the process ends anyway.
 */
class Context {
public:
  /** Throws std::runtime_error where there is no memory for it, or an adapter cannot be used. */
  Context(std::shared_ptr<Machine> machine, llama_model *model, const ContextOptions &options);
  Context(const Context &) = delete;
  Context &operator=(const Context &) = delete;
  ~Context();
  void close();

  const LlamaApi &api() const { return machine_->api; }
  Machine &machine() const { return *machine_; }
  const llama_model *model() const { return model_; }
  /** For a library that decodes by itself, on the worker's thread and after `attach_threads`. */
  llama_context *handle() const;
  /** Has the context compute with the threads that it wants now. */
  void attach_threads() const { machine_->pools.attach_to(handle()); }
  const llama_vocab *vocab() const { return api().llama_model_get_vocab(model_); }
  int threads() const { return api().llama_n_threads(handle()); }
  /**
   * Not to be called for a context that computes: llama.cpp then plans its steps anew.
   */
  ContextMemory memory() const;
  void set_threads(int threads);

  /**
   * True where the memory of a sequence holds a state of what came last, which cannot be taken back, or only the last
   * tokens of some layers: then most cuts need a state that was saved there.
   */
  bool needs_states() const { return has_recurrent_state_ || window_ > 0; }
  /** Tokens of the last step that can be taken back, but not its first one: a window still holds what stood before them. */
  int takes_back() const { return has_recurrent_state_ ? taken_back_ : INT32_MAX; }

  /** To be called before a step that `decode` is to compute, so that `interrupt` finds it. */
  void begin_step() { step_ = StepState::wanted; }
  /** From another thread: the decoding of the step that has begun is given up, and throws. */
  void interrupt();
  /** Throws std::runtime_error when the batch cannot be decoded. */
  void decode(const Batch &batch);
  /** The same for draft heads. */
  void decode(HeadBatch &batch);
  /** The model's draft heads; nullptr: it has none, or there is no memory for them any more. */
  Heads *heads() const { return heads_.get(); }
  /** The row that draft heads computed at `index` of what was decoded last. */
  const float *row_at(int index) const { return api().llama_get_embeddings_nextn_ith(handle(), index); }
  /** Numbers of a row. */
  int row_size() const { return api().llama_model_n_embd_out(model_); }
  /**
   * Decodes `count` embeddings of one sequence, at `positions`: all of the first dimension, then all of the second and
   * so on. `is_whole`: each looks at all of them and not only at those before it. Throws as `decode`.
   */
  void decode_embeddings(const float *embeddings, std::vector<llama_pos> positions, int count, int sequence,
                         bool is_whole);
  /** The logits after the token at `index` of what was decoded last; nullptr: none were wanted. */
  float *logits_at(int index) const { return api().llama_get_logits_ith(handle(), index); }
  /** Puts the logits in the order of the batch, so that they can be looked at from several threads. */
  void order_logits() { api().llama_get_logits(handle()); }
  /** The vector of what sequence 0 holds; empty where the model has none. */
  std::vector<float> vector() const;

  /** False: the sequence is empty. */
  bool holds(int sequence) const { return api().llama_memory_seq_pos_max(api().llama_get_memory(handle()), sequence) >= 0; }
  /** Whether the sequence holds all that it takes to end before `position`. At 0 it always can. */
  bool can_cut(int sequence, int position) const;
  /** False: the sequence cannot be cut at `position`, and is as it was. */
  bool cut(int sequence, int position);
  /** `target` then holds what `source` holds. */
  void copy(int source, int target);

  /**
   * Opens it anew with another number of cells, in which all sequences hold what they held, and in a pool share the cells
   * of `shared` as before. False: there is no memory for that, and all is as it was. Throws where there is not even memory
   * for what it was; all sequences are empty then, and only this may be called. Also empties a sequence whose state could
   * not be put back, with which others then share nothing.
   */
  bool reshape(uint32_t cells, bool is_unified, const std::vector<SharedPrefix> &shared);

  /** Bytes of a sequence's state and its form; `is_partial`: only what `cut` cannot bring back. */
  size_t state_bytes(int sequence, bool is_partial);
  /** False: it does not take exactly `size` bytes. */
  bool save_state(int sequence, bool is_partial, uint8_t *bytes, size_t size);
  /**
   * Brings a state back, also one that was saved in another shape. The sequence then ends before `position`, which was its end when a partial state was saved, or
   * at most that. False: it could not be brought back, and the sequence is empty.
   */
  bool restore_state(int sequence, bool is_partial, const uint8_t *bytes, size_t size, int position);

private:
  enum class StepState { none, wanted, unwanted };

  /** What a recurrent state forgets. llama.cpp does that once for each step, so that it waits for all that is to be forgotten. */
  struct Forgotten {
    /** Tokens that can still be forgotten. */
    int left = 0;
    /** Where the sequence is to end; -1: where it does. */
    int end = -1;
  };

  void decode(const llama_batch &batch);
  /** Has all sequences end where `cut` said. To be called before llama.cpp looks at their states. */
  void forget();
  int end_of(int sequence) const;
  void copy_cells(int source, int target);
  /** Has both hold the prefix in the same cells. */
  void share(const SharedPrefix &prefix);
  /** As `restore_state`, but heads are to hold what they held. */
  bool bring_back(int sequence, bool is_partial, const uint8_t *bytes, size_t size, int position);
  /** How the state of a sequence is written now. */
  StateForm form_of(int sequence, bool is_partial) const;
  uint32_t streams() const { return params_.kv_unified ? 1 : params_.n_seq_max; }
  /** The states of all sequences; empty for those that are. */
  std::vector<std::vector<uint8_t>> save_all();
  void load_adapters(const std::vector<Adapter> &adapters);
  /** Opens what `params_` say, or leaves none open where there is no memory for it. */
  void open();
  size_t graph_bytes() const;

  std::shared_ptr<Machine> machine_;
  llama_model *model_;
  llama_context_params params_;
  llama_context *context_ = nullptr;
  /** Sequences, and those that each of them is copied to by the next step, not before. */
  std::vector<std::pair<int, int>> later_copies_;
  std::atomic<StepState> step_{StepState::none};
  std::vector<llama_adapter_lora *> adapters_;
  std::vector<float> adapter_scales_;
  bool has_recurrent_state_;
  /** The rows that heads read are kept: those of all tokens, or in the context of heads of those with outputs. */
  bool shows_rows_;
  bool is_of_heads_;
  int taken_back_ = 0;
  std::vector<Forgotten> forgotten_;
  std::unique_ptr<Heads> heads_;
  /** Tokens that layers with a sliding window look back on; 0: there are none. */
  int window_;
  /** Most outputs of a step, and the numbers of each. */
  double output_rows_;
  double output_width_;
};

} // namespace hearth
