// drawloom/gpu/detail/hazard_tracker.h - holds every use of a stream against the barriers before it, by the rules of
// gpu/barrier_model.h. Driven by StreamChecker, which knows what uses what.
#pragma once

#include "drawloom/gpu/detail/validation_objects.h"
#include "drawloom/gpu/detail/validation_reporter.h"

namespace dl::gpu
{

/// Mips and layers of one texture.
struct SubresourceRange
{
    std::uint32_t baseMip = 0, mipCount = 1, baseLayer = 0, layerCount = 1;
};

/// Who uses: a pass (its own scope) or a copy (scope 0), and how messages call it.
struct UseSite
{
    std::uint64_t scope = 0;
    PlaceIndex place = 0;
};

class HazardTracker
{
public:
    explicit HazardTracker(ValidationReporter& reporter) : m_reporter(reporter), m_places{"before"} {}

    /// The index of a text such as `in pass "opaque"`.
    PlaceIndex place(std::string_view text);
    /// A number that no pass had before.
    std::uint64_t newScope() { return ++m_lastScope; }

    void useBuffer(BufferRecord& buffer, AccessFlags access, UseSite site);
    void writeBufferByCopy(BufferRecord& buffer, std::uint64_t offset, std::uint64_t bytes, UseSite site);
    /// `needsContent`: false for attachments that are cleared and for write-only storage.
    void useTexture(TextureRecord& texture, SubresourceRange range, AccessFlags access, UseSite site, bool needsContent);
    void writeTextureByCopy(TextureRecord& texture, const TextureRegion& region, UseSite site);
    void discard(TextureRecord& texture, SubresourceRange range);

    /// Starts a Barriers command; the ranges of its barriers must not overlap.
    void beginBarriers() { ++m_barrierCommand; }
    void barrier(BufferRecord& buffer, const BufferBarrier& barrier);
    void barrier(TextureRecord& texture, const TextureBarrier& barrier);

private:
    struct Subject; // what a message is about
    bool use(RangeState& range, AccessFlags access, UseSite site, bool needsContent, const Subject& subject);
    void applyBarrier(RangeState& range, AccessFlags before, AccessFlags after, bool isCovered, const Subject& subject);
    void report(ValidationRule rule, const Subject& subject, const std::string& text, bool isError = true);

    ValidationReporter& m_reporter;
    std::vector<std::string> m_places;
    std::uint64_t m_lastScope = 0;
    std::uint64_t m_barrierCommand = 0;
};

} // namespace dl::gpu
