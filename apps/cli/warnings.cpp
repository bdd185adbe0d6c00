#include "apps/cli/warnings.h"

#include "apps/cli/exit_codes.h"

namespace dl::cli
{
namespace
{

constexpr std::size_t kMaxLines = 5;
constexpr std::size_t kMaxLineBytes = 240;

std::string lineOf(const std::string& where, const std::string& message, const std::string& code)
{
    std::string line = "warning: " + (where.empty() ? "" : where + ": ") + message;
    if (line.size() > kMaxLineBytes)
        line.replace(kMaxLineBytes, std::string::npos, "...");
    return line + " (" + code + ")";
}

} // namespace

void printWarnings(const Report& report)
{
    std::size_t count = 0;
    for (const ImportIssue& issue : report.importIssues)
        if (issue.severity != IssueSeverity::Info && count++ < kMaxLines)
            say(lineOf(issue.where, issue.message, issue.code));
    for (const FrameRefusal& refusal : report.frame.refusals)
        if (count++ < kMaxLines)
            say(lineOf(refusal.subject + " in " + refusal.stage, refusal.detail.empty() ? "is not drawn" : refusal.detail, refusal.code));
    if (count > kMaxLines)
        say(counted(count - kMaxLines, "more warning") + ": --report lists all");
}

} // namespace dl::cli
