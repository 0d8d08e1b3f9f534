#include "media-functions.h"

#include "functions.h"
#include "handles.h"
#include "instance.h"
#include "pinned.h"
#include "projector-handle.h"
#include "stepper-handle.h"

namespace hearth {

template <>
const napi_type_tag handle_tag<MtmdApi> = {0x6865617274687374, 3};

namespace {

napi_value open_library(napi_env env, const Arguments &arguments) {
  return from_shared(env, std::make_shared<MtmdApi>(open_mtmd(to_string(env, arguments[0]), to_string(env, arguments[1]))));
}

napi_value projector_memory(napi_env env, const Arguments &arguments) {
  const auto api = to_shared<MtmdApi>(env, arguments[0]);
  const std::string file = to_string(env, arguments[1]);
  const bool uses_gpu = to_bool(env, arguments[2]);
  return preparer_of(env).start(env, [api, file, uses_gpu]() -> Result {
    double gpu_bytes = 0;
    const double ram_bytes = api->hearth_mtmd_memory(file.c_str(), uses_gpu, &gpu_bytes);
    return [=](napi_env env) { return from_vector(env, std::vector<double>{ram_bytes, gpu_bytes}, napi_float64_array); };
  });
}

napi_value open_projector(napi_env env, const Arguments &arguments) {
  const auto api = to_shared<MtmdApi>(env, arguments[0]);
  const auto stepper = to_shared<Stepper>(env, arguments[1]);
  const ProjectorOptions options = {
      to_string(env, arguments[2]),
      to_int(env, arguments[3], 1, 4096),
      to_bool(env, arguments[4]),
  };
  return preparer_of(env).start(env, [api, stepper, options]() -> Result {
    const auto projector = std::make_shared<Projector>(api, stepper, options);
    return [projector](napi_env env) {
      napi_value opened;
      check(napi_create_object(env, &opened), "object");
      set(env, opened, "handle", from_shared(env, projector));
      set(env, opened, "sees", from_bool(env, projector->sees()));
      set(env, opened, "sampleRate", from_number(env, projector->sample_rate()));
      set(env, opened, "embeddingBytes", from_number(env, projector->embedding_bytes()));
      const mtmd_gen_audio_info speech = projector->speech();
      set(env, opened, "speechType", from_number(env, speech.type));
      set(env, opened, "speechRate", from_number(env, speech.sample_rate));
      set(env, opened, "speechVariant", from_string(env, speech.model_variant));
      return opened;
    };
  });
}

napi_value from_pieces(napi_env env, const Projector &projector, const std::vector<PromptPiece> &pieces) {
  napi_value array;
  check(napi_create_array_with_length(env, pieces.size(), &array), "array");
  for (size_t at = 0; at < pieces.size(); at++) {
    const auto &[tokens, medium] = pieces[at];
    napi_value piece;
    check(napi_create_object(env, &piece), "object");
    if (medium == nullptr)
      set(env, piece, "tokens", from_vector(env, tokens, napi_int32_array));
    else {
      set(env, piece, "handle", from_shared(env, medium));
      set(env, piece, "cells", from_number(env, medium->cells()));
      set(env, piece, "positions", from_number(env, medium->positions()));
      set(env, piece, "isWhole", from_bool(env, projector.is_whole(*medium)));
    }
    check(napi_set_element(env, array, static_cast<uint32_t>(at), piece), "item");
  }
  return array;
}

/** A promise of the pieces that `prepare` makes of what is pinned. */
template <typename Prepare>
napi_value start_preparing(napi_env env, std::shared_ptr<Projector> projector, std::shared_ptr<Pinned> pinned,
                           Prepare prepare) {
  return preparer_of(env).start(env, [=]() -> Result {
    auto pieces = std::make_shared<std::vector<PromptPiece>>();
    std::string trouble;
    try {
      *pieces = prepare();
    } catch (const std::exception &failure) {
      trouble = failure.what();
    }
    return [=](napi_env env) {
      pinned->release(env);
      if (!trouble.empty()) throw std::runtime_error(trouble);
      return from_pieces(env, *projector, *pieces);
    };
  });
}

napi_value prepare_picture(napi_env env, const Arguments &arguments) {
  const auto projector = to_shared<Projector>(env, arguments[0]);
  const auto width = static_cast<uint32_t>(to_int(env, arguments[1], 1, INT32_MAX));
  const auto height = static_cast<uint32_t>(to_int(env, arguments[2], 1, INT32_MAX));
  const auto pixels = std::make_shared<Pinned>(env, arguments[3], napi_uint8_array);
  if (pixels->length != static_cast<size_t>(width) * height * 3) {
    pixels->release(env);
    throw BadArgument("bad argument: not three bytes for each pixel");
  }
  return start_preparing(env, projector, pixels, [=] {
    return projector->prepare_picture(width, height, static_cast<const unsigned char *>(pixels->data));
  });
}

napi_value prepare_sound(napi_env env, const Arguments &arguments) {
  const auto projector = to_shared<Projector>(env, arguments[0]);
  const auto samples = std::make_shared<Pinned>(env, arguments[1], napi_float32_array);
  return start_preparing(env, projector, samples, [=] {
    return projector->prepare_sound(static_cast<const float *>(samples->data), samples->length);
  });
}

napi_value advance(napi_env env, const Arguments &arguments) {
  const auto projector = to_shared<Projector>(env, arguments[0]);
  const auto medium = to_shared<Medium>(env, arguments[1]);
  const double most_ms = to_number(env, arguments[2]);
  return worker_of(env).start(env, [=]() -> Result {
    const bool is_done = projector->advance(medium, most_ms);
    return [=](napi_env env) { return from_bool(env, is_done); };
  });
}

napi_value abandon(napi_env env, const Arguments &arguments) {
  const auto projector = to_shared<Projector>(env, arguments[0]);
  return worker_of(env).start(env, [=]() -> Result {
    projector->abandon();
    return undefined;
  });
}

napi_value close_projector(napi_env env, const Arguments &arguments) {
  const auto projector = to_shared<Projector>(env, arguments[0]);
  return worker_of(env).start(env, [=]() -> Result {
    projector->close();
    return undefined;
  });
}

napi_value decode_medium(napi_env env, const Arguments &arguments) {
  const auto projector = to_shared<Projector>(env, arguments[0]);
  const auto medium = to_shared<Medium>(env, arguments[1]);
  const int sequence = to_int(env, arguments[2], 0, INT32_MAX);
  const int begin = to_int(env, arguments[3], 0, INT32_MAX);
  const int offset = to_int(env, arguments[4], 0, medium->cells());
  const int count = to_int(env, arguments[5], 1, medium->cells() - offset);
  return worker_of(env).start(env, [=]() -> Result {
    projector->decode(*medium, sequence, begin, offset, count);
    return undefined;
  });
}

} // namespace

void add_media_functions(napi_env env, napi_value exports) {
  add<open_library, 2>(env, exports, "openMtmd");
  add<projector_memory, 3>(env, exports, "projectorMemory");
  add<open_projector, 5>(env, exports, "openProjector");
  add<prepare_picture, 4>(env, exports, "preparePicture");
  add<prepare_sound, 2>(env, exports, "prepareSound");
  add<advance, 3>(env, exports, "advance");
  add<abandon, 1>(env, exports, "abandon");
  add<close_projector, 1>(env, exports, "closeProjector");
  add<decode_medium, 6>(env, exports, "decodeMedium");
}

} // namespace hearth
