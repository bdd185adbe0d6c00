#include "drawloom/asset/image_mips.h"

#include "drawloom/asset/image_decode.h"
#include "drawloom/core/assert.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <vector>

namespace dl
{
namespace
{

float srgbToLinear(float value)
{
    return value <= 0.04045f ? value / 12.92f : std::pow((value + 0.055f) / 1.055f, 2.4f);
}

/// Exact 8-bit sRGB both ways: decode by table; encode by a guess from 12 bits, then the exact thresholds between codes.
struct SrgbTables
{
    std::array<float, 256> toLinear = {};
    std::array<float, 256> upperBound = {}; // linear value from which the next code is nearer
    std::array<std::uint8_t, 4097> guess = {};

    SrgbTables()
    {
        for (std::size_t code = 0; code < 256; ++code)
        {
            toLinear[code] = srgbToLinear(static_cast<float>(code) / 255.0f);
            upperBound[code] = code == 255 ? 2.0f : srgbToLinear((static_cast<float>(code) + 0.5f) / 255.0f);
        }
        std::uint8_t code = 0;
        for (std::size_t i = 0; i < guess.size(); ++i)
        {
            while (static_cast<float>(i) / 4096.0f >= upperBound[code])
                ++code;
            guess[i] = code;
        }
    }

    std::uint8_t encode(float linear) const
    {
        const float clamped = std::clamp(linear, 0.0f, 1.0f);
        std::uint8_t code = guess[static_cast<std::size_t>(clamped * 4096.0f)];
        while (clamped >= upperBound[code])
            ++code;
        return code;
    }
};

const SrgbTables& srgbTables()
{
    static const SrgbTables tables;
    return tables;
}

std::uint32_t channelCount(ImageFormat format)
{
    switch (format)
    {
    case ImageFormat::R8:
    case ImageFormat::R16: return 1;
    case ImageFormat::Rg8: return 2;
    default: return 4;
    }
}

std::uint32_t channelBytes(ImageFormat format)
{
    return imageBlockBytes(format) / channelCount(format);
}

/// Texels of one format as linear floats and back; alpha (channel 3) is never sRGB.
class TexelCodec
{
public:
    TexelCodec(ImageFormat format, ImageEncoding encoding)
        : m_channels(channelCount(format)), m_channelBytes(channelBytes(format)),
          m_isSrgb(encoding == ImageEncoding::Srgb && m_channelBytes == 1)
    {
    }

    std::uint32_t channels() const { return m_channels; }

    void decode(const std::byte* texels, std::size_t texelCount, float* out) const
    {
        for (std::size_t i = 0; i < texelCount * m_channels; ++i)
            out[i] = decodeChannel(texels + i * m_channelBytes, isSrgbChannel(i));
    }

    void encode(const float* values, std::size_t texelCount, std::byte* out) const
    {
        for (std::size_t i = 0; i < texelCount * m_channels; ++i)
            encodeChannel(values[i], isSrgbChannel(i), out + i * m_channelBytes);
    }

private:
    bool isSrgbChannel(std::size_t i) const { return m_isSrgb && !(m_channels == 4 && i % 4 == 3); }

    float decodeChannel(const std::byte* at, bool isSrgb) const
    {
        if (m_channelBytes == 1)
        {
            const auto code = std::to_integer<std::uint8_t>(*at);
            return isSrgb ? srgbTables().toLinear[code] : static_cast<float>(code) / 255.0f;
        }
        if (m_channelBytes == 2)
        {
            std::uint16_t code = 0;
            std::memcpy(&code, at, 2);
            return static_cast<float>(code) / 65535.0f;
        }
        float value = 0.0f;
        std::memcpy(&value, at, 4);
        return value;
    }

    void encodeChannel(float value, bool isSrgb, std::byte* at) const
    {
        if (m_channelBytes == 1)
        {
            const float clamped = std::clamp(value, 0.0f, 1.0f);
            *at = std::byte{isSrgb ? srgbTables().encode(value) : static_cast<std::uint8_t>(clamped * 255.0f + 0.5f)};
        }
        else if (m_channelBytes == 2)
        {
            const auto code = static_cast<std::uint16_t>(std::clamp(value, 0.0f, 1.0f) * 65535.0f + 0.5f);
            std::memcpy(at, &code, 2);
        }
        else
            std::memcpy(at, &value, 4);
    }

    std::uint32_t m_channels, m_channelBytes;
    bool m_isSrgb;
};

/// What one output texel takes from one axis: at most three inputs, whose weights sum to one.
struct Taps
{
    std::uint32_t first = 0, count = 0;
    float weights[3] = {0, 0, 0};
};

/// Halving (rounded down) of `size` inputs: output i covers [i, i + 1) * size / outSize.
std::vector<Taps> makeTaps(std::uint32_t size, std::uint32_t outSize)
{
    std::vector<Taps> taps(outSize);
    for (std::uint64_t i = 0; i < outSize; ++i)
    {
        const std::uint64_t begin = i * size; // in units of 1 / outSize of an input texel
        const std::uint64_t end = begin + size;
        Taps& tap = taps[i];
        tap.first = static_cast<std::uint32_t>(begin / outSize);
        for (std::uint64_t input = tap.first; input * outSize < end; ++input)
        {
            const std::uint64_t covered = std::min(end, (input + 1) * outSize) - std::max(begin, input * outSize);
            tap.weights[tap.count++] = static_cast<float>(covered) / static_cast<float>(size);
        }
    }
    return taps;
}

/// out += weight * (a row of the level above, reduced along x)
void addRow(const float* row, float weight, const std::vector<Taps>& taps, std::uint32_t channels, float* out)
{
    for (std::size_t x = 0; x < taps.size(); ++x)
        for (std::uint32_t channel = 0; channel < channels; ++channel)
        {
            float sum = 0.0f;
            for (std::uint32_t tap = 0; tap < taps[x].count; ++tap)
                sum += taps[x].weights[tap] * row[(std::size_t(taps[x].first) + tap) * channels + channel];
            out[x * channels + channel] += weight * sum;
        }
}

} // namespace

std::uint32_t fullMipCount(std::uint32_t width, std::uint32_t height)
{
    return static_cast<std::uint32_t>(std::bit_width(std::max({width, height, 1U})));
}

void buildMips(Image& image, ImageEncoding encoding)
{
    DL_ASSERT(imageBlockTexels(image.format) == 1, "mips of a block-compressed image: decompress it first");
    if (image.width == 0 || image.height == 0)
        return;
    const TexelCodec codec(image.format, encoding);
    const std::uint32_t channels = codec.channels();
    image.mipCount = fullMipCount(image.width, image.height);
    image.bytes.resize(image.levelOffset(image.mipCount));

    std::vector<float> above; // the level above in linear floats, from level 1 on: 8-bit rounding does not add up
    std::vector<float> level;
    std::vector<float> row(std::size_t(image.width) * channels);
    for (std::uint32_t mip = 1; mip < image.mipCount; ++mip)
    {
        const std::uint32_t aboveWidth = image.levelWidth(mip - 1);
        const std::size_t outStride = std::size_t(image.levelWidth(mip)) * channels;
        const std::vector<Taps> columns = makeTaps(aboveWidth, image.levelWidth(mip));
        const std::vector<Taps> rows = makeTaps(image.levelHeight(mip - 1), image.levelHeight(mip));
        level.assign(outStride * rows.size(), 0.0f);
        for (std::size_t y = 0; y < rows.size(); ++y)
            for (std::uint32_t tap = 0; tap < rows[y].count; ++tap)
            {
                const std::size_t source = std::size_t(rows[y].first) + tap;
                const float* values = row.data();
                if (mip == 1)
                    codec.decode(image.bytes.data() + source * aboveWidth * imageBlockBytes(image.format), aboveWidth, row.data());
                else
                    values = above.data() + source * aboveWidth * channels;
                addRow(values, rows[y].weights[tap], columns, channels, level.data() + y * outStride);
            }
        codec.encode(level.data(), level.size() / channels, image.bytes.data() + image.levelOffset(mip));
        std::swap(above, level);
    }
    updateImageFacts(image);
}

} // namespace dl
