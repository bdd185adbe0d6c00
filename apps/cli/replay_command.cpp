// `drawloom replay`: plays a capture on any device and writes the pictures that come back.
#include "apps/cli/device_choice.h"
#include "apps/cli/exit_codes.h"
#include "apps/cli/output_files.h"
#include "apps/cli/progress.h"
#include "apps/cli/render_options.h"
#include "drawloom/asset/png_write.h"
#include "drawloom/gpu/capture.h"
#include "drawloom/render/picture_readback.h"

#include <nlohmann/json.hpp>

#include <array>
#include <cstdio>

namespace dl::cli
{
namespace
{

struct Summary
{
    gpu::CaptureSummary capture;
    std::size_t readbackCount = 0, pictureCount = 0;
    std::string device;
};

Result<void> writePictures(const gpu::ReplayResult& result, const std::string& folder, const std::string& captureFile, Summary& summary)
{
    const OutputFolder out(folder);
    for (const gpu::ReplayReadback& readback : result.readbacks)
    {
        const std::optional<Image> picture = unpackPictureReadback(readback.token, readback.bytes);
        if (!picture)
            continue;
        DL_TRY_ASSIGN(const std::vector<std::byte> png, encodePng(*picture));
        const std::string name = summary.pictureCount == 0 ? "picture.png" : "picture-" + std::to_string(summary.pictureCount) + ".png";
        DL_TRY(refuseOverwriting(std::array{NamedFile{"the picture of --out", out.pathOf(name.c_str())}}, std::array{captureFile}));
        DL_TRY(out.write(name.c_str(), png));
        ++summary.pictureCount;
    }
    return {};
}

void print(const Summary& summary, const ReplayOptions& options)
{
    if (options.isJson)
    {
        const nlohmann::ordered_json json = {{"drawloomReplay", 1}, {"capture", options.captureFile}, {"device", summary.device},
            {"objects", summary.capture.objectCount}, {"streams", summary.capture.streamCount},
            {"contentBytes", summary.capture.contentBytes}, {"readbacks", summary.readbackCount}, {"pictures", summary.pictureCount}};
        std::printf("%s\n", json.dump(2).c_str());
    }
    else if (!options.isQuiet)
    {
        std::printf("%s: %s, %s, %s, %s written, on %s\n", options.captureFile.c_str(),
            counted(summary.capture.objectCount, "object").c_str(), counted(summary.capture.streamCount, "stream").c_str(),
            counted(summary.readbackCount, "readback").c_str(), counted(summary.pictureCount, "picture").c_str(), summary.device.c_str());
    }
}

} // namespace

int runReplay(const ReplayOptions& options)
{
    Progress progress(options.isQuiet || options.isJson);
    progress.show("loading");
    const Result<gpu::Capture> capture = gpu::loadCapture(options.captureFile);
    progress.clear();
    if (!capture)
        return fail(kBadInput, capture.error().message.c_str());
    // A capture is a file, and backends trust their caller: it is always played through validation.
    DeviceOptions deviceOptions = options.device;
    deviceOptions.isChecking = true;
    Result<std::unique_ptr<ChosenDevice>> device = ChosenDevice::create(deviceOptions, false);
    if (!device)
        return fail(kNoDevice, device.error().message.c_str());
    if (!options.outFolder.empty())
        if (const Result<void> made = OutputFolder(options.outFolder).create(); !made)
            return fail(made.error());
    progress.show("replaying");
    const Result<gpu::ReplayResult> result = gpu::replayCapture(*capture, (*device)->device());
    progress.clear();
    if (!result)
        return fail(result.error());
    Summary summary{capture->summary(), result->readbacks.size(), 0, (*device)->device().info().name};
    if (!options.outFolder.empty() && (*device)->hasPixels())
        if (const Result<void> written = writePictures(*result, options.outFolder, options.captureFile, summary); !written)
            return fail(written.error());
    if (const Result<void> saved = (*device)->savePipelineCache(); !saved)
        return fail(saved.error());
    print(summary, options);
    const ValidationCounts validation = (*device)->validation().value_or(ValidationCounts{});
    if (validation.faults > 0)
        return fail(kBadInput, (counted(validation.faults, "validation fault") + ": the capture is not well formed").c_str());
    if (options.device.isValidating && !options.isQuiet && !options.isJson)
        printClean(validation);
    return kDone;
}

} // namespace dl::cli
