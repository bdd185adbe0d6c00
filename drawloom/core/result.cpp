#include "drawloom/core/result.h"

namespace dl
{

std::string_view toString(ErrorCode code)
{
    switch (code)
    {
    case ErrorCode::InvalidArgument: return "InvalidArgument";
    case ErrorCode::OutOfRange: return "OutOfRange";
    case ErrorCode::OutOfBudget: return "OutOfBudget";
    case ErrorCode::OutOfMemory: return "OutOfMemory";
    case ErrorCode::NotFound: return "NotFound";
    case ErrorCode::AlreadyExists: return "AlreadyExists";
    case ErrorCode::StaleId: return "StaleId";
    case ErrorCode::Unsupported: return "Unsupported";
    case ErrorCode::BadFile: return "BadFile";
    case ErrorCode::Io: return "Io";
    case ErrorCode::Cancelled: return "Cancelled";
    case ErrorCode::DeviceLost: return "DeviceLost";
    }
    return "Unknown";
}

Error withContext(Error error, std::string_view context)
{
    std::string message(context);
    message += ": ";
    message += error.message;
    error.message = std::move(message);
    return error;
}

} // namespace dl
