// Write an AD tool in C++: declare functions, and the protocol, the repeating, the timing and the errors are done here.
//
//     #include "gradbench.hpp"
//
//     int main(int argc, char** argv) {
//         gradbench::Tool tool("mytool");
//         auto number = [](const gradbench::json& input) { return input.get<double>(); };
//         tool.function("hello", "square", number, [](double x) { return x * x; });
//         tool.function("hello", "double", number, [](double x) { return 2 * x; });
//         return tool.run();
//     }
//
// Needs C++17 and the single-header library nlohmann/json, 3.11 or later.

#pragma once

#include <chrono>
#include <cstdint>
#include <fstream>
#include <functional>
#include <iostream>
#include <map>
#include <stdexcept>
#include <string>
#include <thread>
#include <type_traits>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

namespace gradbench {

using json = nlohmann::json;

// The name and the nanoseconds of each timed piece of work, in order.
using Timings = std::vector<std::pair<std::string, std::int64_t>>;

// Runs `work` and adds its time under `name`. Returns the nanoseconds.
template <class Work>
std::int64_t timed(Timings& timings, const std::string& name, Work&& work) {
    const auto start = std::chrono::steady_clock::now();
    work();
    const auto elapsed = std::chrono::steady_clock::now() - start;
    const std::int64_t nanoseconds = std::chrono::duration_cast<std::chrono::nanoseconds>(elapsed).count();
    timings.emplace_back(name, nanoseconds);
    return nanoseconds;
}

// What timings depend on beside the tool; names and values in words, "unknown" where the system does not say.
//
// The thread that answers is the only one, unless the tool starts others.
inline json machine_facts() {
    json facts = {{"cpu", "unknown"}, {"governor", "unknown"}, {"threads", "1"}};
    std::string line;
    for (std::ifstream info("/proc/cpuinfo"); std::getline(info, line);) {
        const auto colon = line.find(": ");
        if (line.rfind("model name", 0) == 0 && colon != std::string::npos) {
            facts["cpu"] = line.substr(colon + 2);
            break;
        }
    }
    std::ifstream governor("/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor");
    if (std::getline(governor, line)) facts["governor"] = line;
    const unsigned cores = std::thread::hardware_concurrency();
    facts["cores"] = cores ? std::to_string(cores) : "unknown";
#if defined(__VERSION__)
    facts["compiler"] = __VERSION__;
#else
    facts["compiler"] = "unknown";
#endif
    return facts;
}

class Tool {
public:
    explicit Tool(std::string name) : name_(std::move(name)) {}

    // Declares a function of a module.
    //
    // prepare: JSON input -> argument; not timed.
    // evaluate: argument (by reference) -> value; timed as "evaluate", repeated until min_runs and min_seconds of the
    //     input are both reached. An input that is no object is evaluated once.
    // Values become JSON by nlohmann's rules: numbers, std::vector, std::map. NaN becomes null.
    template <class Prepare, class Evaluate>
    void function(const std::string& module, const std::string& name, Prepare prepare, Evaluate evaluate) {
        add(module, name, [=](const json& input, Timings& timings) {
            auto argument = prepare(input);
            return json(repeat(input, argument, evaluate, timings));
        });
    }

    // The same with a step after the last run that is not timed and makes JSON of its value.
    //
    // finish: argument (by reference), value -> JSON.
    template <class Prepare, class Evaluate, class Finish>
    void function(
        const std::string& module, const std::string& name, Prepare prepare, Evaluate evaluate, Finish finish) {
        add(module, name, [=](const json& input, Timings& timings) {
            auto argument = prepare(input);
            const auto value = repeat(input, argument, evaluate, timings);
            return json(finish(argument, value));
        });
    }

    // The function without `finish`, and a step before the first run that is timed as "prepare", for example to record a tape.
    //
    // record: argument (by reference) -> nothing.
    template <class Prepare, class Record, class Evaluate>
    void recorded(
        const std::string& module, const std::string& name, Prepare prepare, Record record, Evaluate evaluate) {
        add(module, name, [=](const json& input, Timings& timings) {
            auto argument = prepare(input);
            timed(timings, "prepare", [&] { record(argument); });
            return json(repeat(input, argument, evaluate, timings));
        });
    }

    // Both steps.
    template <class Prepare, class Record, class Evaluate, class Finish>
    void recorded(const std::string& module, const std::string& name, Prepare prepare, Record record,
                  Evaluate evaluate, Finish finish) {
        add(module, name, [=](const json& input, Timings& timings) {
            auto argument = prepare(input);
            timed(timings, "prepare", [&] { record(argument); });
            const auto value = repeat(input, argument, evaluate, timings);
            return json(finish(argument, value));
        });
    }

    // Answers the messages on standard input until it ends. Returns the exit code.
    int run() {
        std::ios::sync_with_stdio(false);
        std::string line;
        while (std::getline(std::cin, line)) {
            const json message = json::parse(line, nullptr, false);
            if (!message.is_object() || !message.contains("id")) {
                std::cerr << name_ << ": a line is no message of the protocol\n";
                return 1;
            }
            std::cout << answer(message).dump() << '\n' << std::flush;
        }
        return 0;
    }

private:
    using Function = std::function<json(const json&, Timings&)>;

    std::string name_;
    std::map<std::string, std::map<std::string, Function>> modules_;

    void add(const std::string& module, const std::string& name, Function function) {
        if (!modules_[module].emplace(name, std::move(function)).second) {
            throw std::logic_error("the module '" + module + "' has a function '" + name + "' already");
        }
    }

    template <class Argument, class Evaluate>
    static auto repeat(const json& input, Argument& argument, const Evaluate& evaluate, Timings& timings) {
        double min_runs = 1, min_seconds = 0;
        if (input.is_object()) {
            min_runs = input.value("min_runs", 1.0);
            min_seconds = input.value("min_seconds", 0.0);
        }
        if (min_runs <= 0 && min_seconds <= 0) {
            throw std::invalid_argument("min_runs and min_seconds ask for no run at all");
        }
        std::decay_t<decltype(evaluate(argument))> value{};
        std::int64_t total = 0;
        for (std::int64_t runs = 0; runs < min_runs || total < min_seconds * 1e9; ++runs) {
            total += timed(timings, "evaluate", [&] { value = evaluate(argument); });
        }
        return value;
    }

    json answer(const json& message) const {
        json result = {{"id", message["id"]}};
        const std::string kind = message.value("kind", "");
        if (kind == "start") {
            result["tool"] = name_;
            result["machine"] = machine_facts();
        } else if (kind == "define" || kind == "evaluate") {
            try {
                const auto& functions = find(modules_, message.at("module").get<std::string>(), "module");
                if (kind == "evaluate") {
                    const auto& function = find(functions, message.at("function").get<std::string>(), "function");
                    Timings timings;
                    const auto input = message.find("input");
                    result["output"] = function(input == message.end() ? json() : *input, timings);
                    result["timings"] = json::array();
                    for (const auto& [name, nanoseconds] : timings) {
                        result["timings"].push_back({{"name", name}, {"nanoseconds", nanoseconds}});
                    }
                }
                result["success"] = true;
            } catch (const std::exception& error) {
                result.erase("output");
                result.erase("timings");
                result["success"] = false;
                result["error"] = error.what();
            }
        }
        return result;
    }

    template <class Map>
    const typename Map::mapped_type& find(const Map& map, const std::string& key, const std::string& what) const {
        const auto found = map.find(key);
        if (found == map.end()) {
            std::string known;
            for (const auto& entry : map) known += (known.empty() ? "" : ", ") + entry.first;
            throw std::invalid_argument("The tool " + name_ + " has no " + what + " '" + key + "', only " + known + ".");
        }
        return found->second;
    }
};

}  // namespace gradbench
