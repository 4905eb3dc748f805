// Write an AD tool in JavaScript: declare functions, and the protocol, the repeating, the timing and the errors are done here.
//
//     import { Tool } from "./gradbench.mjs";
//
//     const tool = new Tool("mytool");
//     tool.declare("hello", "square", { evaluate: (x) => x * x });
//     tool.declare("hello", "double", { evaluate: (x) => 2 * x });
//     await tool.run();
//
// Needs Node.js 18 or later and nothing else.

import fs from "node:fs";
import os from "node:os";
import process from "node:process";
import readline from "node:readline";

function firstLine(path) {
    try {
        return fs.readFileSync(path, "utf8").split("\n")[0] || "unknown";
    } catch {
        return "unknown";
    }
}

// What timings depend on beside the tool.
function machineFacts() {
    return {
        cpu: os.cpus()[0]?.model ?? "unknown",
        cores: String(os.cpus().length || "unknown"),
        governor: firstLine("/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor"),
        threads: "1",
        node: process.version,
    };
}

export class Tool {
    #name;
    #modules = new Map();
    #facts;

    // facts: further facts about the machine and the library, names and values in words.
    constructor(name, facts = {}) {
        this.#name = name;
        this.#facts = facts;
    }

    // Declares a function of a module.
    //
    // prepare: JSON input -> argument; not timed. By default the input itself.
    // evaluate: argument -> value; timed as "evaluate", and repeated until min_runs and min_seconds of the input are both
    //     reached. An input that is no object is evaluated once.
    // finish: value, argument -> JSON; not timed. NaN becomes null.
    // release: value or argument -> nothing; frees what the garbage collector does not.
    declare(module, name, { prepare = (x) => x, evaluate, finish = (x) => x, release = () => {} }) {
        if (!this.#modules.has(module)) this.#modules.set(module, new Map());
        this.#modules.get(module).set(name, (input) => {
            const isObject = typeof input === "object" && input !== null && !Array.isArray(input);
            const minRuns = (isObject && input.min_runs) ?? 1;
            const minNanoseconds = ((isObject && input.min_seconds) || 0) * 1e9;
            const needed = isObject ? minRuns : 1;
            if (needed <= 0 && minNanoseconds <= 0) throw new Error("min_runs and min_seconds ask for no run at all");
            const argument = prepare(input);
            const timings = [];
            let value;
            let total = 0;
            while (timings.length < needed || total < minNanoseconds) {
                if (timings.length) release(value);
                const start = process.hrtime.bigint();
                value = evaluate(argument);
                const nanoseconds = Number(process.hrtime.bigint() - start);
                timings.push({ name: "evaluate", nanoseconds });
                total += nanoseconds;
            }
            const output = finish(value, argument);
            release(value);
            release(argument);
            return { output, timings };
        });
    }

    // Answers the messages on standard input until it ends.
    async run() {
        for await (const line of readline.createInterface({ input: process.stdin, crlfDelay: Infinity })) {
            let message;
            try {
                message = JSON.parse(line);
            } catch {
                message = null;
            }
            if (typeof message !== "object" || message === null || !("id" in message)) {
                process.stderr.write(`${this.#name}: a line is no message of the protocol\n`);
                process.exit(1);
            }
            process.stdout.write(JSON.stringify(this.#answer(message)) + "\n");
        }
    }

    #answer(message) {
        const { id, kind } = message;
        if (kind === "start") return { id, tool: this.#name, machine: { ...machineFacts(), ...this.#facts } };
        if (kind !== "define" && kind !== "evaluate") return { id };
        try {
            const functions = this.#find(this.#modules, message.module, "module");
            if (kind === "define") return { id, success: true };
            return { id, success: true, ...this.#find(functions, message.function, "function")(message.input ?? null) };
        } catch (error) {
            return { id, success: false, error: error.message };
        }
    }

    #find(map, key, what) {
        if (map.has(key)) return map.get(key);
        const known = [...map.keys()].sort().join(", ");
        throw new Error(`The tool ${this.#name} has no ${what} '${key}', only ${known}.`);
    }
}
