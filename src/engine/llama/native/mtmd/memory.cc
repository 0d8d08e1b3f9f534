// What of libmtmd cannot be looked up by a plain name.
#include "mtmd-helper-common.h"

/**
 * Bytes of main memory that the projector in `file` will take, its weights and what it computes in, laid out without
 * being loaded; negative where the file cannot be read. `gpu_bytes` gets what a GPU will take.
 */
extern "C" __attribute__((visibility("default"))) double hearth_mtmd_memory(const char *file, bool uses_gpu,
                                                                            double *gpu_bytes) {
  mtmd_context_params params = mtmd_context_params_default();
  params.use_gpu = uses_gpu;
  const std::map<ggml_backend_dev_t, size_t> by_device = mtmd_get_memory_usage(file, params);
  double ram_bytes = by_device.empty() ? -1 : 0;
  *gpu_bytes = 0;
  for (const auto &[device, bytes] : by_device)
    (ggml_backend_dev_type(device) == GGML_BACKEND_DEVICE_TYPE_CPU ? ram_bytes : *gpu_bytes) += bytes;
  return ram_bytes;
}

/** Has all that the library says given to `callback`. */
extern "C" __attribute__((visibility("default"))) void hearth_mtmd_log_set(ggml_log_callback callback) {
  mtmd_log_set(callback, nullptr);
  g_logger.log_callback = callback;
}
