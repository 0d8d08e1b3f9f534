// JavaScript's values as those of C++, and back.
#pragma once
#include <node_api.h>

#include <algorithm>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

namespace hearth {

/** Thrown where a JavaScript exception is pending or Node-API refused something. */
struct BadArgument : std::runtime_error {
  using std::runtime_error::runtime_error;
};

inline void check(napi_status status, const char *what) {
  if (status != napi_ok) throw BadArgument(std::string("bad argument: ") + what);
}

inline std::string to_string(napi_env env, napi_value value) {
  size_t length = 0;
  check(napi_get_value_string_utf8(env, value, nullptr, 0, &length), "not a string");
  std::string text(length + 1, '\0');
  check(napi_get_value_string_utf8(env, value, text.data(), text.size(), &length), "not a string");
  text.resize(length);
  return text;
}

inline double to_number(napi_env env, napi_value value) {
  double number = 0;
  check(napi_get_value_double(env, value, &number), "not a number");
  return number;
}

inline int to_int(napi_env env, napi_value value, int least, int most) {
  const double number = to_number(env, value);
  if (!(number >= least && number <= most)) throw BadArgument("bad argument: a number out of range");
  return static_cast<int>(number);
}

template <typename Item>
std::vector<Item> to_vector(napi_env env, napi_value value, napi_typedarray_type expected) {
  napi_typedarray_type type;
  size_t length = 0;
  void *data = nullptr;
  check(napi_get_typedarray_info(env, value, &type, &length, &data, nullptr, nullptr), "not a typed array");
  if (type != expected) throw BadArgument("bad argument: a typed array of another type");
  const Item *const items = static_cast<const Item *>(data);
  return std::vector<Item>(items, items + length);
}

inline std::vector<int> to_tokens(napi_env env, napi_value value) {
  return to_vector<int>(env, value, napi_uint32_array);
}

inline std::vector<napi_value> to_list(napi_env env, napi_value array) {
  uint32_t length = 0;
  check(napi_get_array_length(env, array, &length), "not an array");
  std::vector<napi_value> items(length);
  for (uint32_t at = 0; at < length; at++) check(napi_get_element(env, array, at, &items[at]), "item");
  return items;
}

inline napi_value get(napi_env env, napi_value object, const char *name) {
  napi_value value;
  check(napi_get_named_property(env, object, name, &value), name);
  return value;
}

inline napi_value from_numbers(napi_env env, const std::vector<double> &numbers) {
  void *data = nullptr;
  napi_value buffer, array;
  check(napi_create_arraybuffer(env, numbers.size() * sizeof(double), &data, &buffer), "buffer");
  std::copy(numbers.begin(), numbers.end(), static_cast<double *>(data));
  check(napi_create_typedarray(env, napi_float64_array, numbers.size(), buffer, 0, &array), "typed array");
  return array;
}

inline napi_value from_lists(napi_env env, const std::vector<std::vector<double>> &lists) {
  napi_value array;
  check(napi_create_array_with_length(env, lists.size(), &array), "array");
  for (size_t at = 0; at < lists.size(); at++)
    check(napi_set_element(env, array, static_cast<uint32_t>(at), from_numbers(env, lists[at])), "item");
  return array;
}

inline napi_value undefined(napi_env env) {
  napi_value value;
  napi_get_undefined(env, &value);
  return value;
}

inline napi_value to_error(napi_env env, const std::string &text) {
  napi_value message, error;
  napi_create_string_utf8(env, text.data(), text.size(), &message);
  napi_create_error(env, nullptr, message, &error);
  return error;
}

/** Tells a handle of one kind from all others; a type that JavaScript holds defines it. */
template <typename Held>
extern const napi_type_tag handle_tag;

template <typename Held>
napi_value from_shared(napi_env env, std::shared_ptr<Held> held) {
  using Pointer = std::shared_ptr<Held>;
  auto pointer = std::make_unique<Pointer>(std::move(held));
  const auto release = [](napi_env, void *data, void *) { delete static_cast<Pointer *>(data); };
  napi_value handle;
  check(napi_create_external(env, pointer.get(), release, nullptr, &handle), "handle");
  pointer.release(); // `release` owns it now.
  check(napi_type_tag_object(env, handle, &handle_tag<Held>), "handle");
  return handle;
}

template <typename Held>
std::shared_ptr<Held> to_shared(napi_env env, napi_value handle) {
  bool fits = false;
  check(napi_check_object_type_tag(env, handle, &handle_tag<Held>, &fits), "not a handle");
  if (!fits) throw BadArgument("bad argument: a handle of another kind");
  void *data = nullptr;
  check(napi_get_value_external(env, handle, &data), "not a handle");
  return *static_cast<std::shared_ptr<Held> *>(data);
}

} // namespace hearth
