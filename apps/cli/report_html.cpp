// The report page: a template with the picture, the JSON report and Chart.js put in, so that one file is all.
#include "apps/cli/report.h"

#include <cstdint>
#include <string_view>

extern "C" const char dl_report_page[], dl_report_page_end[];
extern "C" const char dl_chart_js[], dl_chart_js_end[];

namespace dl::cli
{
namespace
{

std::string base64(std::span<const std::byte> bytes)
{
    static constexpr char kDigits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    std::string text;
    text.reserve((bytes.size() + 2) / 3 * 4);
    for (std::size_t i = 0; i < bytes.size(); i += 3)
    {
        const std::size_t count = bytes.size() - i < 3 ? bytes.size() - i : 3;
        std::uint32_t word = 0;
        for (std::size_t k = 0; k < 3; ++k)
            word = word << 8U | (k < count ? static_cast<std::uint32_t>(bytes[i + k]) : 0U);
        for (std::size_t k = 0; k < 4; ++k)
            text += k <= count ? kDigits[word >> (18U - 6U * k) & 63U] : '=';
    }
    return text;
}

/// JSON inside a script element must not be able to close it: names in files are anybody's.
std::string escapeForScript(std::string_view json)
{
    std::string text;
    text.reserve(json.size());
    for (const char c : json)
    {
        if (c == '<')
            text += "\\u003c";
        else
            text += c;
    }
    return text;
}

void append(std::string& page, std::string_view& rest, std::string_view mark, std::string_view value)
{
    const std::size_t at = rest.find(mark);
    DL_ASSERT(at != std::string_view::npos, "the report page lost a mark");
    page += rest.substr(0, at);
    page += value;
    rest = rest.substr(at + mark.size());
}

} // namespace

std::string reportToHtml(const Report& report, std::span<const std::byte> picture)
{
    std::string_view rest(dl_report_page, static_cast<std::size_t>(dl_report_page_end - dl_report_page));
    std::string page;
    append(page, rest, "@PICTURE@", picture.empty() ? std::string("data:,") : "data:image/png;base64," + base64(picture));
    append(page, rest, "@CHARTJS@", std::string_view(dl_chart_js, static_cast<std::size_t>(dl_chart_js_end - dl_chart_js)));
    append(page, rest, "@DATA@", escapeForScript(reportToJson(report)));
    page += rest;
    return page;
}

} // namespace dl::cli
