// Makes test_shaders_spirv.h from test_shaders.wgsl. Run it where npm's naga-wasm@30.1.0 can be imported:
//   node tests/gpu_vulkan/shaders/build.mjs FOLDER_WITH_NODE_MODULES
import { createRequire } from "node:module";
import { readFileSync, writeFileSync } from "node:fs";
import { pathToFileURL } from "node:url";

const folder = process.argv[2] ?? process.cwd();
const naga = await import(pathToFileURL(createRequire(folder + "/").resolve("naga-wasm")).href);
const here = new URL(".", import.meta.url);
const [common, ...parts] = readFileSync(new URL("test_shaders.wgsl", here), "utf8").split(/^\/\/ -{10,}\n/m);
const modules = parts.map((part) => {
    const module = naga.parseWgsl(common + part);
    // Clip space stays y-up: the backend turns the viewport instead.
    const words = naga.writeSpirv(module, naga.validate(module), { flags: { adjustCoordinateSpace: false, labelVaryings: false } });
    return { words: Array.from(words), entries: Array.from(part.matchAll(/^fn ((?:vs|fs|cs)\w+)/gm), (match) => match[1]) };
});

const arrays = modules.map(({ words }, index) => {
    const lines = [];
    for (let i = 0; i < words.length; i += 12)
        lines.push("    " + words.slice(i, i + 12).map((w) => "0x" + w.toString(16)).join(", ") + ",");
    return `inline constexpr std::uint32_t kTestModule${index}[] = {\n${lines.join("\n")}\n};`;
});
const table = modules.flatMap(({ entries }, index) => entries.map((entry) => `    {"${entry}", ${index}, kTestModule${index}},`));
writeFileSync(
    new URL("test_shaders_spirv.h", here),
    `// Made from test_shaders.wgsl by build.mjs; do not edit.
#pragma once
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
// clang-format off
${arrays.join("\n")}
struct TestShaderEntry
{
    std::string_view entry;
    std::size_t module;
    std::span<const std::uint32_t> spirv;
};
inline constexpr TestShaderEntry kTestShaderEntries[] = {
${table.join("\n")}
};
// clang-format on
`);
