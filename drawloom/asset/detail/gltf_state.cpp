#include "drawloom/asset/detail/gltf_state.h"

namespace dl::detail
{

bool GltfState::fail(ErrorCode code, const std::string& where, const std::string& message)
{
    if (!error)
        error = Error{code, where.empty() ? message : where + ": " + message};
    return false;
}

void GltfState::warn(const char* code, const std::string& where, const std::string& message)
{
    if (settings.isStrict)
        fail(ErrorCode::BadFile, where, message + " (" + code + ", an error because the import is strict)");
    scene.issues.push_back(ImportIssue{IssueSeverity::Warning, code, where, message});
}

void GltfState::note(const char* code, const std::string& where, const std::string& message)
{
    scene.issues.push_back(ImportIssue{IssueSeverity::Info, code, where, message});
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

} // namespace dl::detail
