// What JavaScript sees of the stepper. ../stepper.ts says what each function takes; an argument that is not that is a
// TypeError. Everything that computes does so on the worker's thread and gives a promise.
#include <atomic>
#include <chrono>

#include "context-functions.h"
#include "functions.h"
#include "instance.h"
#include "media-functions.h"
#include "model.h"
#include "sampler-functions.h"
#include "stepper-handle.h"
#include "utterance-functions.h"

namespace hearth {

namespace {

napi_value from_drawn(napi_env env, const Drawn &lists) {
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

/** A run does not go on while JavaScript has not heard of this many steps: it would be late to hear of news. */
constexpr int most_untold_steps = 4;

/** JavaScript's function that hears of each step of a run, and how long that took. */
class Listener : public std::enable_shared_from_this<Listener> {
public:
  Listener(napi_env env, napi_value function) { check(napi_create_reference(env, function, 1, &function_), "listener"); }

  /** On the worker's thread. */
  void tell(Worker &worker, Drawn drawn) {
    const auto now = std::chrono::steady_clock::now();
    const double elapsed_ms = std::chrono::duration<double, std::milli>(now - told_).count();
    told_ = now;
    untold_++;
    worker.post([self = shared_from_this(), drawn = std::move(drawn), elapsed_ms](napi_env env) {
      self->call(env, drawn, elapsed_ms);
    });
  }

  bool is_behind() const { return untold_ >= most_untold_steps; }
  void end(napi_env env) { napi_delete_reference(env, function_); }

private:
  void call(napi_env env, const Drawn &drawn, double elapsed_ms) {
    untold_--;
    napi_value function, outcome;
    check(napi_get_reference_value(env, function_, &function), "listener");
    const napi_value arguments[] = {from_drawn(env, drawn), from_number(env, elapsed_ms)};
    napi_call_function(env, undefined(env), function, 2, arguments, &outcome);
  }

  napi_ref function_ = nullptr;
  std::atomic<int> untold_{0};
  std::chrono::steady_clock::time_point told_ = std::chrono::steady_clock::now();
};

napi_value run(napi_env env, const Arguments &arguments) {
  const auto stepper = to_shared<Stepper>(env, arguments[0]);
  const Batch batch = to_batch(env, arguments[1], arguments[2]);
  std::vector<Draw> draws;
  for (const napi_value draw : to_list(env, arguments[3])) draws.push_back(to_draw(env, draw));
  const int most_steps = to_int(env, arguments[4], 1, INT32_MAX);
  const auto listener = std::make_shared<Listener>(env, arguments[5]);
  Worker &worker = worker_of(env);
  stepper->context().begin_step();
  stepper->begin_run();
  return worker.start(env, [stepper, batch, draws, most_steps, listener, &worker]() -> Result {
    const auto tell = [&](Drawn drawn) { listener->tell(worker, std::move(drawn)); };
    const auto may_go_on = [&] { return !listener->is_behind() && !worker.has_waiting(); };
    try {
      const Drawn drawn = stepper->run(batch, draws, most_steps, tell, may_go_on);
      return [listener, drawn](napi_env env) {
        listener->end(env);
        return from_drawn(env, drawn);
      };
    } catch (const std::exception &failure) {
      return [listener, message = std::string(failure.what())](napi_env env) -> napi_value {
        listener->end(env);
        throw std::runtime_error(message);
      };
    }
  });
}

napi_value hold(napi_env env, const Arguments &arguments) {
  to_shared<Stepper>(env, arguments[0])->hold();
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
    return [told = stepper->logprobs(questions)](napi_env env) { return from_drawn(env, told); };
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
  add_model_functions(env, exports);
  add<run, 6>(env, exports, "run");
  add<hold, 1>(env, exports, "hold");
  add<finish_draw, 2>(env, exports, "finishDraw");
  add<logprobs, 4>(env, exports, "logprobs");
  add<stop_all, 0>(env, exports, "stop");
  add_sampler_functions(env, exports);
  add_media_functions(env, exports);
  add_utterance_functions(env, exports);
  return exports;
}
