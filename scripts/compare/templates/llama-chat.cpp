// Renders and reads chat turns with llama.cpp's own common/chat, for templates.ts: one JSON request on each
// line of its input, one JSON answer on each line of its output.
#include "chat.h"
#include "common.h"

#include <nlohmann/json.hpp>

#include <cstdlib>
#include <iostream>

using json = nlohmann::ordered_json;

static json answer(const json & request) {
    auto templates = common_chat_templates_init(nullptr, request.at("template"), request.at("bos"), request.at("eos"));
    common_chat_templates_inputs inputs;
    inputs.messages            = common_chat_msgs_parse_oaicompat(common_json::parse(request.at("messages").dump()));
    inputs.parallel_tool_calls = true;
    inputs.reasoning_format    = COMMON_REASONING_FORMAT_AUTO;
    inputs.enable_thinking     = request.at("thinking");
    inputs.add_generation_prompt = !request.at("isWhole");
    if (request.contains("tools")) {
        inputs.tools = common_chat_tools_parse_oaicompat(common_json::parse(request.at("tools").dump()));
    }
    const auto params = common_chat_templates_apply(templates.get(), inputs);
    json found = {
        { "prompt", params.prompt },
        { "format", common_chat_format_name(params.format) },
        { "thought", params.thinking_start_tag },
    };
    if (!request.contains("turn")) {
        return found;
    }
    common_chat_parser_params reading(params);
    reading.reasoning_format = COMMON_REASONING_FORMAT_AUTO;
    reading.parser.load(params.parser);
    const auto message = common_chat_parse(request.at("turn"), false, reading);
    found["text"]      = message.content;
    found["reasoning"] = message.reasoning_content;
    found["calls"]     = json::array();
    for (const auto & call : message.tool_calls) {
        found["calls"].push_back({ { "name", call.name }, { "arguments", call.arguments } });
    }
    return found;
}

int main() {
    for (std::string line; std::getline(std::cin, line);) {
        json found;
        try {
            found = answer(json::parse(line));
        } catch (const std::exception & error) {
            found = { { "error", error.what() } };
        }
        std::cout << found.dump(-1, ' ', false, json::error_handler_t::replace) << std::endl;
    }
    std::cout.flush();
    // Freeing what the library holds is of no use here.
    std::_Exit(0);
}
