#include "context.h"

#include "heads.h"

#include <algorithm>
#include <cstring>
#include <new>
#include <stdexcept>

namespace hearth {
namespace {

llama_state_seq_flags flags_of(bool is_partial) {
  return is_partial ? LLAMA_STATE_SEQ_FLAGS_PARTIAL_ONLY : LLAMA_STATE_SEQ_FLAGS_NONE;
}

/** Heads guess one token of each sequence at a time, and read few others with it. */
constexpr uint32_t head_batch_tokens = 128;

/** Tokens of a step that can have outputs. Each sequence has one at least. */
uint32_t most_outputs(const ContextOptions &options) {
  if (options.is_of_heads) return options.sequences;
  const bool are_all = options.embeds || options.output_tokens == 0;
  return are_all ? options.batch_tokens : std::max(options.output_tokens, options.sequences);
}

/** The one place that knows what llama_decode answers. Throws unless it is 0. */
void check_decoded(int outcome) {
  switch (outcome) {
  case 0:
    return;
  case 1:
    throw std::runtime_error("there is no room in the cache for the batch");
  case 2:
    throw std::runtime_error("the computing of the batch was aborted");
  case -1:
    throw std::runtime_error("the batch holds what the model cannot compute");
  default:
    throw std::runtime_error("the batch could not be computed");
  }
}

/** As long as it lives, all that is decoded together looks at all of it, where that is wanted. */
class WholeAttention {
public:
  WholeAttention(const LlamaApi &api, llama_context *context, bool is_wanted)
      : api_(api), context_(context), is_wanted_(is_wanted) {
    if (is_wanted_) api_.llama_set_causal_attn(context_, false);
  }
  ~WholeAttention() {
    if (is_wanted_) api_.llama_set_causal_attn(context_, true);
  }

private:
  const LlamaApi &api_;
  llama_context *context_;
  bool is_wanted_;
};

} // namespace

Context::Context(std::shared_ptr<Machine> machine, llama_model *model, const ContextOptions &options)
    : machine_(std::move(machine)), model_(model),
      has_recurrent_state_(!options.is_of_heads &&
                           (api().llama_model_is_recurrent(model) || api().llama_model_is_hybrid(model))),
      shows_rows_(options.has_heads || options.is_of_heads), is_of_heads_(options.is_of_heads),
      forgotten_(options.sequences),
      window_(api().llama_model_n_swa(model)), output_rows_(most_outputs(options)),
      output_width_(api().llama_vocab_n_tokens(vocab()) +
                    (options.embeds || options.is_of_heads ? api().llama_model_n_embd_out(model) : 0)) {
  llama_context_params &params = params_ = api().llama_context_default_params();
  params.n_ctx = options.cells;
  params.n_seq_max = options.sequences;
  params.n_batch = params.n_ubatch = options.batch_tokens;
  params.n_outputs_max = options.output_tokens;
  params.n_rs_seq = options.taken_back;
  if (options.is_of_heads) {
    params.ctx_type = LLAMA_CONTEXT_TYPE_MTP;
    params.n_batch = params.n_ubatch = std::max(head_batch_tokens, 2 * options.sequences);
    params.n_outputs_max = options.sequences;
  }
  params.n_threads = params.n_threads_batch = options.threads;
  params.flash_attn_type = options.flash_attention;
  params.type_k = params.type_v = options.cache_type;
  params.embeddings = options.embeds;
  if (options.ranks) params.pooling_type = LLAMA_POOLING_TYPE_RANK;
  params.no_perf = true;
  params.abort_callback = [](void *shared) {
    const Context &context = *static_cast<Context *>(shared);
    return context.machine_->is_ending || context.step_ == StepState::unwanted;
  };
  params.abort_callback_data = this;
  params.swa_full = false;
  params.kv_unified = options.is_unified;
  try {
    load_adapters(options.adapters);
    open();
    if (context_ == nullptr) throw std::runtime_error("there is not enough memory for its context");
    taken_back_ = static_cast<int>(api().llama_n_rs_seq(context_));
    if (options.has_heads) heads_ = std::make_unique<Heads>(machine_, model, options);
  } catch (...) {
    close();
    throw;
  }
}

void Context::load_adapters(const std::vector<Adapter> &adapters) {
  for (const Adapter &adapter : adapters) {
    llama_adapter_lora *const loaded = api().llama_adapter_lora_init(model_, adapter.file.c_str());
    if (loaded == nullptr) throw std::runtime_error("its LoRA adapter cannot be loaded");
    adapters_.push_back(loaded);
    adapter_scales_.push_back(adapter.scale);
  }
}

void Context::open() {
  context_ = api().llama_init_from_model(model_, params_);
  if (context_ != nullptr && shows_rows_) api().llama_set_embeddings_nextn(context_, true, is_of_heads_);
  if (context_ != nullptr && !adapters_.empty())
    api().llama_set_adapters_lora(context_, adapters_.data(), adapters_.size(), adapter_scales_.data());
}

Context::~Context() = default;

void Context::set_threads(int threads) {
  api().llama_set_n_threads(handle(), threads, threads);
  if (heads_ != nullptr) heads_->context().set_threads(threads);
}

void Context::close() {
  if (heads_ != nullptr) heads_->context().close();
  heads_ = nullptr;
  if (context_ != nullptr) api().llama_free(context_);
  context_ = nullptr;
  for (llama_adapter_lora *const adapter : adapters_) api().llama_adapter_lora_free(adapter);
  adapters_.clear();
}

llama_context *Context::handle() const {
  if (context_ == nullptr) throw std::runtime_error("the context is closed");
  return context_;
}

void Context::interrupt() {
  // Where no step is being decoded, it would be the next one that is given up.
  StepState wanted = StepState::wanted;
  step_.compare_exchange_strong(wanted, StepState::unwanted);
}

ContextMemory Context::memory() const {
  // The first is main memory.
  std::vector<ggml_backend_dev_t> places = {nullptr};
  for (size_t at = 0; at < api().ggml_backend_dev_count(); at++) {
    const ggml_backend_dev_t device = api().ggml_backend_dev_get(at);
    const auto type = api().ggml_backend_dev_type(device);
    if (type == GGML_BACKEND_DEVICE_TYPE_GPU || type == GGML_BACKEND_DEVICE_TYPE_IGPU) places.push_back(device);
  }
  ContextMemory memory{std::vector<double>(places.size()), std::vector<double>(places.size())};
  // llama.cpp leaves out what it copies outputs into, a buffer that grows with the largest step, and its graphs.
  memory.own[0] = sizeof(float) * output_rows_ * output_width_ + graph_bytes();
  if (heads_ != nullptr) {
    memory.own[0] += sizeof(float) * params_.n_batch * row_size();
    const std::vector<double> own = heads_->memory();
    for (size_t at = 0; at < own.size(); at++) memory.own[at] += own[at];
  }
  for (const auto &[buffer_type, bytes] : api().llama_get_memory_breakdown(handle())) {
    const auto place = std::find(places.begin() + 1, places.end(), api().ggml_backend_buft_get_device(buffer_type));
    const bool is_in_ram = place == places.end() || api().ggml_backend_buft_is_host(buffer_type);
    const size_t at = is_in_ram ? 0 : place - places.begin();
    memory.own[at] += bytes.context + bytes.compute;
    memory.weights[at] += bytes.model;
  }
  return memory;
}

/**
 * llama.cpp keeps three graphs, each with room for its largest one: of a step with outputs, of one without, and that by
 * which it reserved its buffers. Qwen3.5's has 20,480 nodes, 8 MB, however small the model is.
 */
size_t Context::graph_bytes() const {
  constexpr size_t graphs = 3;
  // A token of each sequence, as llama.cpp lays out its own: with fewer sequences than streams of cells the process ends.
  const uint32_t sequences = api().llama_n_seq_max(handle());
  ggml_cgraph *const graph = api().llama_graph_reserve(handle(), sequences, sequences, sequences);
  if (graph == nullptr) return 0;
  const size_t nodes = api().ggml_graph_size(graph);
  return graphs * (nodes * api().ggml_tensor_overhead() + api().ggml_graph_overhead_custom(nodes, false));
}

void Context::decode(const Batch &batch) {
  const size_t count = batch.tokens.size();
  std::vector<llama_token> tokens = batch.tokens;
  std::vector<llama_pos> positions(count);
  std::vector<int32_t> sequence_counts(count, 1);
  std::vector<llama_seq_id *> sequences(count + 1, nullptr);
  std::vector<int8_t> wanted(count, 0);
  std::vector<llama_seq_id> ids;
  ids.reserve(batch.parts.size()); // What `sequences` points to must stay where it is.
  size_t at = 0;
  for (const BatchPart &part : batch.parts) {
    ids.push_back(part.sequence);
    for (int token = 0; token < part.count; token++, at++) {
      positions[at] = part.position + token;
      sequences[at] = &ids.back();
      wanted[at] = token >= part.first_output;
    }
  }
  decode(llama_batch{static_cast<int32_t>(count), tokens.data(), nullptr, positions.data(), sequence_counts.data(),
                     sequences.data(), wanted.data()});
  for (const BatchPart &part : batch.parts) forgotten_.at(part.sequence).left = std::min(part.count - 1, taken_back_);
  if (heads_ != nullptr) heads_->follow(batch, api().llama_get_embeddings_nextn(handle()));
}

void Context::decode(HeadBatch &batch) {
  const size_t count = batch.tokens.size();
  std::vector<int32_t> sequence_counts(count, 1);
  std::vector<llama_seq_id *> sequences(count + 1, nullptr);
  for (size_t at = 0; at < count; at++) sequences[at] = &batch.sequences[at];
  decode(llama_batch{static_cast<int32_t>(count), batch.tokens.data(), batch.rows.data(), batch.positions.data(),
                     sequence_counts.data(), sequences.data(), batch.wanted.data()});
}

void Context::decode_embeddings(const float *embeddings, std::vector<llama_pos> positions, int count, int sequence,
                                bool is_whole) {
  // llama.cpp ends the process where a whole medium has more embeddings than the context's physical batch.
  if (is_whole && static_cast<uint32_t>(count) > api().llama_n_ubatch(handle()))
    throw std::runtime_error("it takes more cells than a step may compute together");
  std::vector<int32_t> sequence_counts(count, 1);
  llama_seq_id sequence_id = sequence;
  std::vector<llama_seq_id *> sequences(count + 1, &sequence_id);
  sequences[count] = nullptr;
  std::vector<int8_t> wanted(count, 0);
  const WholeAttention attention(api(), handle(), is_whole);
  decode(llama_batch{count, nullptr, const_cast<float *>(embeddings), positions.data(), sequence_counts.data(),
                     sequences.data(), wanted.data()});
}

void Context::decode(const llama_batch &batch) {
  forget();
  forgotten_.assign(forgotten_.size(), {});
  attach_threads();
  const int outcome = api().llama_decode(handle(), batch);
  step_ = StepState::none;
  later_copies_.clear();
  check_decoded(outcome);
  api().llama_synchronize(handle());
}

std::vector<float> Context::vector() const {
  const bool ranks = api().llama_pooling_type(handle()) == LLAMA_POOLING_TYPE_RANK;
  // A score has one number, whatever the model says of its classes: llama.cpp has no more of them in its memory.
  const int size = ranks ? 1 : api().llama_model_n_embd_out(model_);
  const float *numbers = nullptr;
  if (api().llama_pooling_type(handle()) != LLAMA_POOLING_TYPE_NONE)
    numbers = api().llama_get_embeddings_seq(handle(), 0);
  if (numbers == nullptr) numbers = api().llama_get_embeddings_ith(handle(), -1);
  if (numbers == nullptr || size <= 0) return {};
  return {numbers, numbers + size};
}

bool Context::can_cut(int sequence, int position) const {
  const llama_memory_t memory = api().llama_get_memory(handle());
  // An encoder remembers nothing.
  if (memory == nullptr || position <= 0) return true;
  const int end = end_of(sequence);
  if (end <= position) return end > 0;
  if (has_recurrent_state_ && end - position > forgotten_.at(sequence).left) return false;
  // Layers with a window must still hold what stands in the window before `position`.
  return window_ == 0 || api().llama_memory_seq_pos_min(memory, sequence) <= std::max(0, position - window_);
}

int Context::end_of(int sequence) const {
  const int end = forgotten_.at(sequence).end;
  return end >= 0 ? end : api().llama_memory_seq_pos_max(api().llama_get_memory(handle()), sequence) + 1;
}

void Context::forget() {
  const llama_memory_t memory = api().llama_get_memory(handle());
  for (size_t sequence = 0; sequence < forgotten_.size(); sequence++) {
    const int end = forgotten_[sequence].end;
    if (end < 0) continue;
    forgotten_[sequence] = {};
    if (!api().llama_memory_seq_rm(memory, sequence, end, -1))
      throw std::runtime_error("the last tokens of a sequence could not be taken back");
  }
}

bool Context::cut(int sequence, int position) {
  if (!can_cut(sequence, position)) return false;
  if (heads_ != nullptr) heads_->cut(sequence, position);
  const llama_memory_t memory = api().llama_get_memory(handle());
  if (position <= 0) {
    forgotten_.at(sequence) = {};
  } else if (has_recurrent_state_) {
    Forgotten &forgotten = forgotten_[sequence];
    const int end = end_of(sequence);
    if (position < end) forgotten = {forgotten.left - (end - position), position};
    return true;
  }
  return memory == nullptr || api().llama_memory_seq_rm(memory, sequence, position <= 0 ? -1 : position, -1);
}

void Context::copy(int source, int target) {
  forget();
  copy_cells(source, target);
  if (heads_ != nullptr) heads_->copy(source, target);
}

void Context::copy_cells(int source, int target) {
  const llama_memory_t memory = api().llama_get_memory(handle());
  api().llama_memory_seq_rm(memory, target, -1, -1);
  if (!needs_states()) {
    if (!params_.kv_unified) later_copies_.emplace_back(source, target);
    return api().llama_memory_seq_cp(memory, source, target, -1, -1);
  }
  // llama.cpp copies cells when it decodes next. What is restored in the target before that would be overwritten.
  std::vector<uint8_t> state(state_bytes(source, false));
  const llama_pos end = api().llama_memory_seq_pos_max(memory, source) + 1;
  if (!save_state(source, false, state.data(), state.size()) ||
      !bring_back(target, false, state.data(), state.size(), end))
    throw std::runtime_error("the cache of a sequence could not be copied");
}

std::vector<std::vector<uint8_t>> Context::save_all() {
  std::vector<std::vector<uint8_t>> states(params_.n_seq_max);
  const auto last_of = [this](int sequence) {
    return api().llama_memory_seq_pos_max(api().llama_get_memory(context_), sequence);
  };
  for (size_t sequence = 0; sequence < states.size(); sequence++) {
    if (last_of(sequence) < 0) continue;
    size_t source = sequence;
    for (const auto &[from, to] : later_copies_)
      if (to == static_cast<int>(sequence)) source = from;
    // Of what is copied later, the cells are still those of its source.
    if (last_of(source) < last_of(sequence)) continue;
    states[sequence].resize(state_bytes(source, false));
    if (!save_state(source, false, states[sequence].data(), states[sequence].size())) states[sequence].clear();
  }
  return states;
}

bool Context::reshape(uint32_t cells, bool is_unified, const std::vector<SharedPrefix> &shared) {
  std::vector<std::vector<uint8_t>> states(params_.n_seq_max);
  std::vector<llama_pos> ends(params_.n_seq_max, 0);
  if (context_ != nullptr) {
    try {
      forget();
      states = save_all();
    } catch (const std::bad_alloc &) {
      return false;
    }
    const llama_memory_t memory = api().llama_get_memory(context_);
    for (size_t sequence = 0; sequence < ends.size(); sequence++)
      ends[sequence] = api().llama_memory_seq_pos_max(memory, sequence) + 1;
    params_.n_threads = params_.n_threads_batch = threads();
    api().llama_free(context_);
    later_copies_.clear();
  }
  const llama_context_params before = params_;
  params_.n_ctx = cells;
  params_.kv_unified = is_unified;
  open();
  const bool is_open = context_ != nullptr;
  if (!is_open) {
    params_ = before;
    open();
    if (context_ == nullptr) throw std::runtime_error("there is not enough memory for its context any more");
  }
  for (size_t sequence = 0; sequence < states.size(); sequence++) {
    std::vector<uint8_t> &state = states[sequence];
    if (state.empty()) continue;
    bring_back(sequence, false, state.data(), state.size(), ends[sequence]);
    state = {};
    // At once, so that the next sequence has the cells.
    for (const SharedPrefix &prefix : shared)
      if (params_.kv_unified && prefix.target == static_cast<int>(sequence)) share(prefix);
  }
  if (heads_ != nullptr && is_open && !heads_->reshape(cells, is_unified, shared)) {
    heads_->context().close();
    heads_ = nullptr;
  }
  return is_open;
}

void Context::share(const SharedPrefix &prefix) {
  if (!holds(prefix.source) || !holds(prefix.target)) return;
  const llama_memory_t memory = api().llama_get_memory(handle());
  api().llama_memory_seq_rm(memory, prefix.target, 0, prefix.position);
  api().llama_memory_seq_cp(memory, prefix.source, prefix.target, 0, prefix.position);
}

StateForm Context::form_of(int sequence, bool is_partial) const {
  const auto bytes = [&](bool is_part) {
    return api().llama_state_seq_get_size_ext(handle(), sequence, flags_of(is_part));
  };
  constexpr size_t head = 2 * sizeof(uint32_t);
  StateForm form = {0, streams(), params_.kv_unified ? 0 : static_cast<uint32_t>(sequence)};
  if (!is_partial) form.whole_cells = needs_states() ? bytes(false) - bytes(true) : bytes(false) - head;
  return form;
}

size_t Context::state_bytes(int sequence, bool is_partial) {
  if (!is_partial) forget();
  const size_t bytes = api().llama_state_seq_get_size_ext(handle(), sequence, flags_of(is_partial));
  return bytes == 0 ? 0 : bytes + sizeof(StateForm);
}

bool Context::save_state(int sequence, bool is_partial, uint8_t *bytes, size_t size) {
  forget();
  if (size <= sizeof(StateForm)) return false;
  const size_t own = size - sizeof(StateForm);
  if (api().llama_state_seq_get_data_ext(handle(), bytes, own, sequence, flags_of(is_partial)) != own) return false;
  const StateForm form = form_of(sequence, is_partial);
  std::memcpy(bytes + own, &form, sizeof(form));
  return true;
}

bool Context::restore_state(int sequence, bool is_partial, const uint8_t *bytes, size_t size, int position) {
  const bool is_back = bring_back(sequence, is_partial, bytes, size, position);
  // Behind a partial state what stood before it was here all the time.
  if (heads_ != nullptr && is_partial && is_back) heads_->cut(sequence, position);
  else if (heads_ != nullptr) heads_->skip(sequence, is_back ? position : 0);
  return is_back;
}

bool Context::bring_back(int sequence, bool is_partial, const uint8_t *bytes, size_t size, int position) {
  forget();
  forgotten_.at(sequence) = {};
  const llama_memory_t memory = api().llama_get_memory(handle());
  const auto read = [&](const uint8_t *state, size_t length) {
    return length > 0 &&
           api().llama_state_seq_set_data_ext(handle(), state, length, sequence, flags_of(is_partial)) == length;
  };
  bool is_read = false;
  if (size > sizeof(StateForm)) {
    StateForm form;
    size -= sizeof(form);
    std::memcpy(&form, bytes + size, sizeof(form));
    const bool has_windows = window_ > 0 && !has_recurrent_state_;
    if (form.streams == streams()) {
      is_read = read(bytes, size);
    } else {
      const std::vector<uint8_t> reshaped = reshape_state(bytes, size, form, streams(), has_windows);
      is_read = read(reshaped.data(), reshaped.size());
    }
  }
  // What stands behind a partial state is cut where the state itself allows it: nothing of it can be missing there.
  if (is_read && api().llama_memory_seq_rm(memory, sequence, position, -1)) {
    const llama_pos last = api().llama_memory_seq_pos_max(memory, sequence);
    if (last >= 0 && last < position) return true;
  }
  api().llama_memory_seq_rm(memory, sequence, -1, -1);
  return false;
}

} // namespace hearth
