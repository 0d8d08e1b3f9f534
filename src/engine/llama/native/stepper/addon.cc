// What JavaScript sees of the stepper. ../stepper.ts says what each function takes; an argument that is not that is a
// TypeError. Everything that computes does so on the worker's thread and gives a promise.
#include "context-functions.h"
#include "functions.h"
#include "instance.h"
#include "media-functions.h"
#include "sampler-functions.h"
#include "stepper-handle.h"
#include "utterance-functions.h"

namespace hearth {

namespace {

napi_value from_lists(napi_env env, const std::vector<std::vector<double>> &lists) {
  napi_value array;
  check(napi_create_array_with_length(env, lists.size(), &array), "array");
  for (size_t at = 0; at < lists.size(); at++) {
    const napi_value numbers = from_vector(env, lists[at], napi_float64_array);
    check(napi_set_element(env, array, static_cast<uint32_t>(at), numbers), "item");
  }
  return array;
}

Draw to_draw(napi_env env, napi_value draw) {
  const napi_value draft = get(env, draw, "draft");
  napi_valuetype type;
  check(napi_typeof(env, draft, &type), "draft");
  return {to_int(env, get(env, draw, "logitIndex"), 0, INT32_MAX),
          to_shared<StepSampler>(env, get(env, draw, "sampler")),
          to_int(env, get(env, draw, "alternatives"), -1, INT32_MAX),
          type == napi_undefined ? std::vector<int>() : to_vector<int>(env, draft, napi_uint32_array)};
}

/** `parts` has four numbers for each part. */
Batch to_batch(napi_env env, napi_value tokens, napi_value parts) {
  Batch batch;
  batch.tokens = to_vector<int>(env, tokens, napi_uint32_array);
  const std::vector<int> numbers = to_vector<int>(env, parts, napi_int32_array);
  size_t count = 0;
  for (size_t at = 0; at + 3 < numbers.size(); at += 4) {
    const BatchPart part = {numbers[at], numbers[at + 1], numbers[at + 2], numbers[at + 3]};
    if (part.sequence < 0 || part.position < 0 || part.count < 1 || part.first_output < 0)
      throw BadArgument("bad argument: a part of no tokens");
    count += static_cast<size_t>(part.count);
    batch.parts.push_back(part);
  }
  if (count == 0 || count != batch.tokens.size()) throw BadArgument("bad argument: not one part for each token");
  return batch;
}

napi_value step(napi_env env, const Arguments &arguments) {
  const auto stepper = to_shared<Stepper>(env, arguments[0]);
  const Batch batch = to_batch(env, arguments[1], arguments[2]);
  std::vector<Draw> draws;
  for (const napi_value draw : to_list(env, arguments[3])) draws.push_back(to_draw(env, draw));
  stepper->context().begin_step();
  return worker_of(env).start(env, [stepper, batch, draws]() -> Result {
    return [drawn = stepper->step(batch, draws)](napi_env env) { return from_lists(env, drawn); };
  });
}

napi_value next_step(napi_env env, const Arguments &arguments) {
  const auto stepper = to_shared<Stepper>(env, arguments[0]);
  stepper->expect_next();
  return worker_of(env).start(env, [stepper]() -> Result {
    return [drawn = stepper->next_step()](napi_env env) { return from_lists(env, drawn); };
  });
}

napi_value cancel_next(napi_env env, const Arguments &arguments) {
  to_shared<Stepper>(env, arguments[0])->cancel_next();
  return undefined(env);
}

napi_value finish_draw(napi_env env, const Arguments &arguments) {
  // Its grammar looks at the vocabulary of the stepper's model.
  const auto stepper = to_shared<Stepper>(env, arguments[0]);
  const Draw draw = to_draw(env, arguments[1]);
  Instance &instance = instance_of(env);
  if (instance.finisher == nullptr) instance.finisher = Worker::create(env);
  return instance.finisher->start(env, [stepper, draw]() -> Result {
    return [drawn = finish(draw)](napi_env env) { return from_vector(env, drawn, napi_float64_array); };
  });
}

napi_value logprobs(napi_env env, const Arguments &arguments) {
  const auto stepper = to_shared<Stepper>(env, arguments[0]);
  const std::vector<int> indexes = to_vector<int>(env, arguments[1], napi_uint32_array);
  const std::vector<int> tokens = to_vector<int>(env, arguments[2], napi_uint32_array);
  const int alternatives = to_int(env, arguments[3], 0, stepper->vocabulary_size());
  if (indexes.size() != tokens.size()) throw BadArgument("bad argument: not one token for each place");
  std::vector<Question> questions;
  for (size_t at = 0; at < tokens.size(); at++) {
    if (tokens[at] < 0 || tokens[at] >= stepper->vocabulary_size()) throw BadArgument("bad argument: no such token");
    questions.push_back({indexes[at], tokens[at], alternatives});
  }
  return worker_of(env).start(env, [stepper, questions]() -> Result {
    return [told = stepper->logprobs(questions)](napi_env env) { return from_lists(env, told); };
  });
}

napi_value stop_all(napi_env env, const Arguments &) {
  stop(instance_of(env));
  return undefined(env);
}

} // namespace
} // namespace hearth

NAPI_MODULE_INIT() {
  using namespace hearth;
  if (!create_instance(env)) return nullptr;
  add_context_functions(env, exports);
  add<step, 4>(env, exports, "step");
  add<next_step, 1>(env, exports, "nextStep");
  add<cancel_next, 1>(env, exports, "cancelNext");
  add<finish_draw, 2>(env, exports, "finishDraw");
  add<logprobs, 4>(env, exports, "logprobs");
  add<stop_all, 0>(env, exports, "stop");
  add_sampler_functions(env, exports);
  add_media_functions(env, exports);
  add_utterance_functions(env, exports);
  return exports;
}
