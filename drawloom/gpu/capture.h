// drawloom/gpu/capture.h - records frames so that they replay alone: a snapshot of the live objects, then what was created,
// destroyed and submitted. A decorator records; files are versioned and treated as hostile. Used by --capture and replay.
#pragma once

#include "drawloom/gpu/device.h"

#include <memory>

namespace dl::gpu
{

struct CaptureSummary
{
    std::uint32_t objectCount = 0;
    std::uint32_t streamCount = 0;
    std::uint64_t contentBytes = 0;    ///< of buffers and textures in the snapshot
    std::uint32_t gpuContentCount = 0; ///< objects whose content a GPU wrote: see CaptureDevice
};

/// Well-formed by construction: made by a CaptureDevice or by a loader that checked it. Ids inside are the recorded ones.
class Capture
{
public:
    const CaptureSummary& summary() const { return m_summary; }
    /// The events as stored (docs/formats.md has no part in this: the layout is private, versioned by the file's header).
    std::span<const std::byte> body() const { return m_body; }
    /// BadFile unless every event, desc, enumerator and stream in `body` is well formed.
    static Result<Capture> fromBody(std::vector<std::byte> body);

private:
    std::vector<std::byte> m_body;
    CaptureSummary m_summary;
};

/// Follows all objects and, on the CPU, all content that streams write, copy and clear (so it holds a copy of every upload).
/// Rule for the rest: what shaders and attachments wrote is not read back; such an object enters the snapshot with the
/// bytes that copies gave it, or none, and is counted in gpuContentCount. A frame that draws or computes its transients
/// before it reads them, as the render graph's frames do, replays exactly; one that reads last frame's GPU results does not.
/// Place it outside the validation device, or inside: it checks nothing. Answers, ids and errors are the inner device's.
class CaptureDevice : public Device
{
public:
    /// Takes the snapshot; everything until endCapture belongs to the capture. A running capture starts anew.
    virtual void beginCapture() = 0;
    virtual bool isCapturing() const = 0;
    /// InvalidArgument when no capture runs.
    virtual Result<Capture> endCapture() = 0;
};

/// `inner` is not owned, must outlive the result, and gets its objects through the decorator only.
std::unique_ptr<CaptureDevice> createCaptureDevice(Device& inner);

struct CaptureLoadSettings
{
    std::uint64_t maxBytes = 1ULL << 30U; ///< of the file and of its unpacked body
};

/// The file: magic, version, sizes, hash, zstd frame.
std::vector<std::byte> encodeCapture(const Capture& capture);
/// BadFile (not a capture, damaged, malformed), Unsupported (other version), OutOfBudget (larger than maxBytes).
Result<Capture> decodeCapture(std::span<const std::byte> file, const CaptureLoadSettings& settings = {});
Result<void> saveCapture(const Capture& capture, const std::string& path);
Result<Capture> loadCapture(const std::string& path, const CaptureLoadSettings& settings = {});

struct ReplayReadback
{
    std::uint64_t token = 0;
    std::uint32_t streamIndex = 0; ///< of the capture's streams, from 0
    std::vector<std::byte> bytes;
};
struct ReplayResult
{
    std::vector<ReplayReadback> readbacks; ///< in the order in which they came
    std::uint32_t streamCount = 0;
    std::string dump; ///< of the streams as submitted, ids of the target
};

/// Recreates the objects on `target`, restores contents and states, plays the streams, waits for the answers, destroys what
/// it created. Fails with the target's error, or BadFile when the capture names objects that it does not hold. A capture
/// from a stranger's file should be replayed through a validation device: backends trust their caller.
Result<ReplayResult> replayCapture(const Capture& capture, Device& target);

} // namespace dl::gpu
