#include "drawloom/asset/detail/gltf_state.h"

#include "drawloom/asset/detail/gltf_source.h"

namespace dl::detail
{
namespace
{

constexpr std::size_t kMaxIssues = 2000;    // a file of millions of faults must not fill memory with their texts
constexpr std::size_t kMaxText = 1000;      // nor may one fault, by listing what the file has millions of
constexpr std::size_t kMaxStrictText = 800; // of the faults that one message lists

void addIssue(std::vector<ImportIssue>& issues, ImportIssue issue)
{
    if (issues.size() < kMaxIssues)
    {
        issue.where = shortText(issue.where, kMaxText);
        issue.message = shortText(issue.message, kMaxText);
        issues.push_back(std::move(issue));
    }
    else if (issues.size() == kMaxIssues)
        issues.push_back({IssueSeverity::Warning, "issues-cut", {}, "there are more than " + std::to_string(kMaxIssues)});
}

} // namespace

bool GltfState::fail(ErrorCode code, const std::string& where, const std::string& message)
{
    if (!error)
    {
        const std::string shown = shortText(message, kMaxText);
        error = Error{code, where.empty() ? shown : shortText(where, kMaxText) + ": " + shown};
    }
    return false;
}

void GltfState::warn(const char* code, const std::string& where, const std::string& message)
{
    addIssue(scene.issues, ImportIssue{IssueSeverity::Warning, code, where, message});
}

void GltfState::refuseWarnings()
{
    std::string faults;
    std::size_t count = 0, listed = 0;
    for (const ImportIssue& issue : scene.issues)
    {
        if (issue.severity != IssueSeverity::Warning)
            continue;
        const std::string fault = (issue.where.empty() ? "" : issue.where + ": ") + issue.message + " (" + issue.code + ")";
        const bool isFirst = count++ == 0;
        if (!isFirst && (listed + 1 != count || faults.size() + fault.size() > kMaxStrictText))
            continue;
        faults += (isFirst ? "" : "; ") + shortText(fault, kMaxStrictText);
        ++listed;
    }
    if (count > listed)
        faults += "; and " + std::to_string(count - listed) + " more";
    if (count == 1)
        fail(ErrorCode::BadFile, {}, faults + "; an error because the import is strict");
    else if (count > 1)
        fail(ErrorCode::BadFile, {}, std::to_string(count) + " faults, errors because the import is strict: " + faults);
}

void GltfState::note(const char* code, const std::string& where, const std::string& message)
{
    addIssue(scene.issues, ImportIssue{IssueSeverity::Info, code, where, message});
}

FileReadSettings GltfState::readingSettings() const
{
    const std::uint64_t left = settings.maxDecodedBytes - usedBytes;
    if (left < settings.maxFileBytes)
        return {.maxBytes = left, .limitName = "maxDecodedBytes"};
    return {.maxBytes = settings.maxFileBytes, .limitName = "maxFileBytes"};
}

bool GltfState::takeBytes(std::uint64_t bytes, const std::string& where)
{
    if (bytes > settings.maxDecodedBytes - usedBytes)
        return fail(ErrorCode::OutOfBudget, where,
            "needs " + std::to_string(bytes) + " bytes more than the " + std::to_string(usedBytes) + " in use, past the limit of " +
                std::to_string(settings.maxDecodedBytes) + "; raise maxDecodedBytes");
    usedBytes += bytes;
    return true;
}

bool GltfState::takeBytes(std::uint64_t count, std::uint64_t elementBytes, const std::string& where)
{
    if (elementBytes != 0 && count > std::numeric_limits<std::uint64_t>::max() / elementBytes)
        return fail(ErrorCode::OutOfBudget, where, std::to_string(count) + " elements are more than memory can hold");
    return takeBytes(count * elementBytes, where);
}

bool GltfState::takeZeros(std::uint64_t count, std::uint64_t elementBytes, const std::string& where)
{
    if (!takeBytes(count, elementBytes, where))
        return false;
    zeroCount += count;
    if (zeroCount > settings.maxZeroCount)
        return fail(ErrorCode::OutOfBudget, where,
            std::to_string(count) + " elements without data, past the limit of " + std::to_string(settings.maxZeroCount) +
                " of such; raise maxZeroCount");
    return true;
}

} // namespace dl::detail
