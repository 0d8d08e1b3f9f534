// What mtmd-helper-gen.cpp calls in place of functions of the library, as CMakeLists.txt has it compiled: the library would
// encode the recording of a voice, and compute its part of the prompt, for each text anew.
#include "mtmd-helper.h"

namespace {

/** The recording that stands in for every other one on this thread, and what it was encoded to. */
thread_local const mtmd_input_chunk *recording = nullptr;
thread_local const float *embeddings = nullptr;
thread_local bool passes_over = false;

} // namespace

#define HEARTH_VISIBLE extern "C" __attribute__((visibility("default")))

HEARTH_VISIBLE int32_t hearth_tokenize(const mtmd_context *, mtmd_input_chunks *, const mtmd_input_text *,
                                       const mtmd_bitmap *const *, size_t) {
  return 0;
}

HEARTH_VISIBLE size_t hearth_input_chunks_size(const mtmd_input_chunks *) { return 1; }

HEARTH_VISIBLE const mtmd_input_chunk *hearth_input_chunks_get(const mtmd_input_chunks *, size_t) { return recording; }

HEARTH_VISIBLE int32_t hearth_encode_chunk(mtmd_context *, const mtmd_input_chunk *) { return 0; }

HEARTH_VISIBLE float *hearth_get_output_embd(mtmd_context *) { return const_cast<float *>(embeddings); }

HEARTH_VISIBLE int32_t hearth_decode(llama_context *context, llama_batch batch) {
  return passes_over ? 0 : llama_decode(context, batch);
}

/** Has the next utterance of this thread imitate `chunk`, of which `rows` are the embeddings, whatever its speaker is. */
HEARTH_VISIBLE void hearth_mtmd_use_voice(const mtmd_input_chunk *chunk, const float *rows) {
  recording = chunk;
  embeddings = rows;
}

/** As if `rows` rows of the prompt had been decoded: the context holds them from before. Negative: it failed. */
HEARTH_VISIBLE int32_t hearth_mtmd_pass_over(mtmd_helper_gen_audio *generator, int32_t rows) {
  passes_over = true;
  const int32_t left = mtmd_helper_gen_audio_step_prompt(generator, rows);
  passes_over = false;
  return left;
}
