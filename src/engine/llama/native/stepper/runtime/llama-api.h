// The functions of llama.cpp that this addon calls. They are looked up in the libraries that node-llama-cpp has loaded,
// so that the process has one llama.cpp, and one build of this addon fits all of them: those for the CPU alone and those
// for each kind of GPU.
#pragma once
#include <string>

#include "ggml-backend.h"
#include "ggml-cpu.h"
#include "llama-ext.h"
#include "llama.h"

#define HEARTH_LLAMA_FUNCTIONS(each)                                                                                   \
  each(ggml_backend_buft_get_device) each(ggml_backend_buft_is_host) each(ggml_backend_cpu_buffer_type)                \
  each(ggml_backend_dev_count) each(ggml_backend_dev_get)  \
  each(ggml_backend_dev_type) each(ggml_backend_reg_by_name) each(ggml_backend_reg_get_proc_address)                   \
  each(ggml_graph_overhead_custom) each(ggml_graph_size) each(ggml_tensor_overhead)                                    \
  each(ggml_threadpool_params_default) each(llama_adapter_lora_free) each(llama_adapter_lora_init)                     \
  each(llama_attach_threadpool) each(llama_context_default_params) each(llama_decode) each(llama_free)                 \
  each(llama_get_embeddings_ith) each(llama_get_embeddings_seq) each(llama_get_logits) each(llama_get_logits_ith)      \
  each(llama_get_memory) each(llama_init_from_model) each(llama_memory_seq_cp) each(llama_memory_seq_pos_max)          \
  each(llama_memory_seq_pos_min) each(llama_memory_seq_rm) each(llama_model_default_params) each(llama_model_free)     \
  each(llama_model_get_vocab) each(llama_model_is_hybrid) each(llama_model_is_recurrent)                               \
  each(llama_model_load_from_file) each(llama_model_n_embd) each(llama_model_n_embd_inp) each(llama_model_n_embd_out)  \
  each(llama_model_n_swa) each(llama_n_rs_seq) each(llama_n_seq_max) each(llama_n_threads) each(llama_n_ubatch) each(llama_pooling_type)    \
  each(llama_sampler_accept) each(llama_sampler_apply) each(llama_sampler_chain_add)                                   \
  each(llama_sampler_chain_default_params) each(llama_sampler_chain_init) each(llama_sampler_clone)                    \
  each(llama_sampler_free) each(llama_sampler_init_dist) each(llama_sampler_init_grammar)                              \
  each(llama_sampler_init_logit_bias) each(llama_sampler_init_min_p) each(llama_sampler_init_temp_ext)                 \
  each(llama_sampler_init_top_k) each(llama_sampler_init_top_p) each(llama_sampler_sample)                             \
  each(llama_set_adapters_lora) each(llama_set_causal_attn) each(llama_set_n_threads)                                  \
  each(llama_state_seq_get_data_ext) each(llama_state_seq_get_size_ext) each(llama_state_seq_set_data_ext)             \
  each(llama_synchronize) each(llama_token_to_piece) each(llama_vocab_get_suppress_tokens) each(llama_vocab_is_eog)    \
  each(llama_vocab_n_tokens)

namespace hearth {

struct LlamaApi {
#define HEARTH_MEMBER(name) decltype(&::name) name = nullptr;
  HEARTH_LLAMA_FUNCTIONS(HEARTH_MEMBER)
#undef HEARTH_MEMBER
  /** Functions of C++. */
  decltype(&::llama_get_memory_breakdown) llama_get_memory_breakdown = nullptr;
  decltype(&::llama_graph_reserve) llama_graph_reserve = nullptr;
  decltype(&::llama_set_embeddings_nextn) llama_set_embeddings_nextn = nullptr;
  decltype(&::llama_get_embeddings_nextn) llama_get_embeddings_nextn = nullptr;
  decltype(&::llama_get_embeddings_nextn_ith) llama_get_embeddings_nextn_ith = nullptr;
  /** Of the CPU's backend. */
  decltype(&::ggml_threadpool_new) ggml_threadpool_new = nullptr;
  decltype(&::ggml_threadpool_free) ggml_threadpool_free = nullptr;
};

/** The functions in the libraries of `addon_file`, which must be loaded. Throws std::runtime_error where one is missing. */
LlamaApi find_llama_api(const std::string &addon_file);

} // namespace hearth
