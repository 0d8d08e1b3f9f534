// The functions of libmtmd, llama.cpp's library for pictures and sound, that this addon calls. ../mtmd builds it as a file
// of its own, which is loaded only where a model has a projector, so that chat does not wait for it to be compiled.
#pragma once
#include <string>

#include "mtmd-helper.h"

#define HEARTH_MTMD_FUNCTIONS(each)                                                                                    \
  each(mtmd_bitmap_free) each(mtmd_bitmap_init) each(mtmd_bitmap_init_from_audio) each(mtmd_context_params_default)    \
  each(mtmd_decode_use_mrope) each(mtmd_decode_use_non_causal) each(mtmd_default_marker) each(mtmd_encode_chunk)       \
  each(mtmd_free)                                                                                                      \
  each(mtmd_gen_audio_get_info) each(mtmd_gen_audio_process) each(mtmd_gen_inp_default)                                \
  each(mtmd_helper_gen_audio_free) each(mtmd_helper_gen_audio_get_output) each(mtmd_helper_gen_audio_init)             \
  each(mtmd_helper_gen_audio_set_input) each(mtmd_helper_gen_audio_step_gen) each(mtmd_helper_gen_audio_step_prompt)   \
  each(mtmd_get_audio_sample_rate) each(mtmd_get_output_embd) each(mtmd_image_tokens_get_decoder_pos)                  \
  each(mtmd_init_from_file) each(mtmd_input_chunk_copy) each(mtmd_input_chunk_free)                                    \
  each(mtmd_input_chunk_get_n_pos) each(mtmd_input_chunk_get_n_tokens) each(mtmd_input_chunk_get_placeholder)          \
  each(mtmd_input_chunk_get_tokens_image) each(mtmd_input_chunk_get_tokens_text) each(mtmd_input_chunk_get_type)       \
  each(mtmd_input_chunks_free) each(mtmd_input_chunks_get) each(mtmd_input_chunks_init) each(mtmd_input_chunks_size)   \
  each(mtmd_support_audio) each(mtmd_support_vision) each(mtmd_tokenize)

namespace hearth {

struct MtmdApi {
#define HEARTH_MEMBER(name) decltype(&::name) name = nullptr;
  HEARTH_MTMD_FUNCTIONS(HEARTH_MEMBER)
#undef HEARTH_MEMBER
  /** These are defined in ../../mtmd. */
  double (*hearth_mtmd_memory)(const char *file, bool uses_gpu, double *gpu_bytes) = nullptr;
  void (*hearth_mtmd_log_set)(ggml_log_callback callback) = nullptr;
  void (*hearth_mtmd_use_voice)(const mtmd_input_chunk *chunk, const float *rows) = nullptr;
  int32_t (*hearth_mtmd_pass_over)(mtmd_helper_gen_audio *generator, int32_t rows) = nullptr;
};

/**
 * The functions in the library `file`, which runs on the llama.cpp of `llama_addon_file`, which must be loaded. Throws
 * std::runtime_error where it does not load, or where a function is missing.
 */
MtmdApi open_mtmd(const std::string &llama_addon_file, const std::string &file);

/** What libmtmd said last of what went wrong on this thread, without the name of its function; empties it. */
std::string take_mtmd_trouble();

} // namespace hearth
