#include "drawloom/asset/detail/gltf_accessor.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>

namespace dl::detail
{
namespace
{

struct TypeName
{
    const char* name;
    std::uint32_t rows, columns;
};
constexpr TypeName kTypeNames[] = {
    {"SCALAR", 1, 1}, {"VEC2", 2, 1}, {"VEC3", 3, 1}, {"VEC4", 4, 1}, {"MAT2", 2, 2}, {"MAT3", 3, 3}, {"MAT4", 4, 4}};
constexpr std::uint64_t kMaxStrideBytes = 1U << 16U;
constexpr std::uint32_t kExponentBits = 0x7f800000U; // all set: infinity or NaN

const char* typeName(std::uint32_t rows, std::uint32_t columns)
{
    for (const TypeName& type : kTypeNames)
        if (type.rows == rows && type.columns == columns)
            return type.name;
    return "?";
}

std::uint32_t componentBytes(ComponentType type)
{
    switch (type)
    {
    case ComponentType::Int8:
    case ComponentType::Uint8: return 1;
    case ComponentType::Int16:
    case ComponentType::Uint16: return 2;
    case ComponentType::Uint32:
    case ComponentType::Float: return 4;
    }
    return 4;
}

/// Matrix columns start at multiples of four bytes.
std::uint32_t columnBytes(const GltfAccessor& accessor, ComponentType type)
{
    const std::uint32_t bytes = accessor.rows * componentBytes(type);
    return accessor.columns == 1 ? bytes : (bytes + 3U) / 4U * 4U;
}

std::uint32_t elementBytes(const GltfAccessor& accessor, ComponentType type)
{
    return columnBytes(accessor, type) * (accessor.columns - 1) + accessor.rows * componentBytes(type);
}

bool readComponentType(const GltfObject& object, ComponentType& out)
{
    const std::uint64_t code = object.requiredCount("componentType");
    switch (code)
    {
    case 5120:
    case 5121:
    case 5122:
    case 5123:
    case 5125:
    case 5126: out = static_cast<ComponentType>(code); return !object.state().failed();
    default: return object.fail("componentType", std::to_string(code) + " is none of 5120 to 5123, 5125, 5126");
    }
}

bool readType(const GltfObject& object, GltfAccessor& out)
{
    const std::string_view name = object.text("type");
    for (const TypeName& type : kTypeNames)
        if (name == type.name)
        {
            out.rows = type.rows;
            out.columns = type.columns;
            return true;
        }
    return object.fail("type", "\"" + std::string(name.substr(0, 32)) + "\" is none of SCALAR, VEC2 to VEC4, MAT2 to MAT4");
}

/// From one element to the next where the view has no stride: matrices are padded behind their last column, too.
std::uint32_t paddedBytes(const GltfAccessor& accessor, ComponentType type)
{
    return columnBytes(accessor, type) * accessor.columns;
}

/// Places `elements` (count and type already set) in a view; `tightBytes` is the size of one element, `paddedBytes` from one
/// to the next.
bool placeElements(const GltfObject& object, ElementArray& elements, std::uint32_t tightBytes, std::uint32_t paddedBytes)
{
    GltfState& state = object.state();
    const std::uint32_t viewIndex = object.requiredIndex("bufferView", state.lists.bufferViews.size());
    const std::uint64_t byteOffset = object.count("byteOffset", 0);
    GltfBufferView view;
    if (state.failed() || !openBufferView(state, viewIndex, view))
        return false;
    elements.strideBytes = view.byteStride == 0 ? paddedBytes : view.byteStride;
    const std::string viewName = "bufferViews[" + std::to_string(viewIndex) + "]";
    if (elements.strideBytes < tightBytes || elements.strideBytes > kMaxStrideBytes)
        return object.fail("byteStride " + std::to_string(elements.strideBytes) + " of " + viewName + " does not fit elements of " +
                           std::to_string(tightBytes) + " bytes");
    // Divisions instead of products: count comes from the file and may be anything up to 2^53.
    const std::uint64_t available = view.bytes.size();
    const bool fits = elements.count != 0 && byteOffset <= available && available - byteOffset >= tightBytes &&
                      elements.count - 1 <= (available - byteOffset - tightBytes) / elements.strideBytes;
    if (!fits)
        return object.fail(std::to_string(elements.count) + " elements of " + std::to_string(tightBytes) + " bytes from byte " +
                           std::to_string(byteOffset) + ", " + std::to_string(elements.strideBytes) + " apart, do not fit " + viewName +
                           " of " + std::to_string(available) + " bytes");
    elements.bytes = view.bytes.subspan(static_cast<std::size_t>(byteOffset));
    return true;
}

bool openSparse(const GltfObject& object, GltfAccessor& out)
{
    const std::optional<GltfObject> sparse = object.object("sparse");
    if (!sparse)
        return !object.state().failed();
    const std::uint64_t count = sparse->requiredCount("count");
    const std::optional<GltfObject> indices = sparse->object("indices");
    const std::optional<GltfObject> values = sparse->object("values");
    if (object.state().failed())
        return false;
    if (!indices || !values)
        return sparse->fail("needs both indices and values");
    if (count == 0 || count > out.count())
        return sparse->fail("count", std::to_string(count) + " must be 1 to the accessor's count of " + std::to_string(out.count()));
    out.sparseIndices.count = out.sparseValues.count = count;
    out.sparseValues.componentType = out.elements.componentType;
    if (!readComponentType(*indices, out.sparseIndices.componentType))
        return false;
    const ComponentType type = out.sparseIndices.componentType;
    if (type != ComponentType::Uint8 && type != ComponentType::Uint16 && type != ComponentType::Uint32)
        return indices->fail("componentType", "must be an unsigned integer type");
    const ComponentType valueType = out.elements.componentType;
    return placeElements(*indices, out.sparseIndices, componentBytes(type), componentBytes(type)) &&
           placeElements(*values, out.sparseValues, elementBytes(out, valueType), paddedBytes(out, valueType));
}

template <class T> T load(const std::byte* at)
{
    T value;
    std::memcpy(&value, at, sizeof value);
    return value;
}

float loadFloat(const std::byte* at, ComponentType type, bool isNormalized)
{
    switch (type)
    {
    case ComponentType::Int8:
    {
        const auto value = static_cast<float>(load<std::int8_t>(at));
        return isNormalized ? std::max(value / 127.0f, -1.0f) : value;
    }
    case ComponentType::Uint8: return static_cast<float>(load<std::uint8_t>(at)) / (isNormalized ? 255.0f : 1.0f);
    case ComponentType::Int16:
    {
        const auto value = static_cast<float>(load<std::int16_t>(at));
        return isNormalized ? std::max(value / 32767.0f, -1.0f) : value;
    }
    case ComponentType::Uint16: return static_cast<float>(load<std::uint16_t>(at)) / (isNormalized ? 65535.0f : 1.0f);
    case ComponentType::Uint32:
        return isNormalized ? static_cast<float>(load<std::uint32_t>(at) / 4294967295.0) : static_cast<float>(load<std::uint32_t>(at));
    case ComponentType::Float: return load<float>(at);
    }
    return 0.0f;
}

std::uint32_t loadUint(const std::byte* at, ComponentType type)
{
    switch (type)
    {
    case ComponentType::Uint8: return load<std::uint8_t>(at);
    case ComponentType::Uint16: return load<std::uint16_t>(at);
    default: return load<std::uint32_t>(at);
    }
}

/// Calls store(element, first output component, source) for the base data, then for the sparse elements over it.
/// False: a sparse index lies past the end (already reported).
template <class Store> bool forEachElement(GltfState& state, const GltfAccessor& accessor, Store&& store)
{
    const ElementArray& base = accessor.elements;
    if (!base.bytes.empty())
        for (std::uint64_t i = 0; i < base.count; ++i)
            store(i, base.bytes.data() + i * base.strideBytes);
    const ElementArray& indices = accessor.sparseIndices;
    const ElementArray& values = accessor.sparseValues;
    for (std::uint64_t i = 0; i < indices.count; ++i)
    {
        const std::uint32_t target = loadUint(indices.bytes.data() + i * indices.strideBytes, indices.componentType);
        if (target >= base.count)
            return state.fail(ErrorCode::BadFile, accessor.path() + ".sparse.indices",
                "entry " + std::to_string(i) + " is " + std::to_string(target) + ", past the last of " + std::to_string(base.count) +
                    " elements");
        store(target, values.bytes.data() + i * values.strideBytes);
    }
    return true;
}

/// As floats or 32-bit integers.
bool takeElements(GltfState& state, const GltfAccessor& accessor)
{
    const std::uint64_t bytes = std::uint64_t(accessor.components()) * sizeof(float);
    return accessor.elements.bytes.empty() ? state.takeZeros(accessor.count(), bytes, accessor.path())
                                           : state.takeBytes(accessor.count(), bytes, accessor.path());
}

} // namespace

bool openAccessor(GltfState& state, std::uint32_t index, GltfAccessor& out)
{
    const GltfObject object(state, state.lists.accessors[index], "accessors", index);
    out = GltfAccessor{};
    out.index = index;
    out.elements.count = object.requiredCount("count");
    out.isNormalized = object.flag("normalized", false);
    if (state.failed() || !readComponentType(object, out.elements.componentType) || !readType(object, out))
        return false;
    if (out.elements.count == 0)
        return object.fail("count", "must be at least 1");
    const auto decoded = std::find_if(state.decodedAccessors.begin(), state.decodedAccessors.end(),
        [&](const DecodedAccessor& candidate) { return candidate.index == index; });
    if (decoded != state.decodedAccessors.end())
    {
        out.elements.bytes = decoded->bytes;
        out.elements.strideBytes = decoded->bytes.size() / out.elements.count;
    }
    else if (object.has("bufferView") && !placeElements(object, out.elements, elementBytes(out, out.elements.componentType),
                                             paddedBytes(out, out.elements.componentType)))
        return false;
    return openSparse(object, out);
}

bool checkType(GltfState& state, const GltfAccessor& accessor, std::uint32_t rows, std::uint32_t columns, const std::string& user)
{
    if (accessor.rows == rows && accessor.columns == columns)
        return true;
    return state.fail(ErrorCode::BadFile, user,
        accessor.path() + " is " + typeName(accessor.rows, accessor.columns) + ", " + typeName(rows, columns) + " is needed");
}

bool checkFinite(GltfState& state, const GltfAccessor& accessor, std::span<const float> values)
{
    std::uint32_t isBad = 0; // without a branch, so that the compiler takes eight at once
    for (const float value : values)
        isBad |= (std::bit_cast<std::uint32_t>(value) & kExponentBits) == kExponentBits ? 1U : 0U;
    if (isBad == 0)
        return true;
    const auto bad = std::find_if(values.begin(), values.end(), [](float value) { return !std::isfinite(value); });
    const auto position = static_cast<std::size_t>(bad - values.begin());
    return state.fail(
        ErrorCode::BadFile, accessor.path(), "element " + std::to_string(position / accessor.components()) + " holds infinity or NaN");
}

const std::byte* tightElements(const GltfAccessor& accessor, ComponentType type)
{
    const std::byte* first = accessor.elements.bytes.data();
    const bool isTight = accessor.elements.componentType == type && componentBytes(type) == sizeof(float) && first != nullptr &&
                         accessor.sparseIndices.count == 0 &&
                         accessor.elements.strideBytes == std::uint64_t(accessor.components()) * sizeof(float) &&
                         reinterpret_cast<std::uintptr_t>(first) % alignof(float) == 0;
    return isTight ? first : nullptr;
}

bool takeFloats(GltfState& state, const GltfAccessor& accessor)
{
    return !state.failed() && takeElements(state, accessor);
}

bool readFloats(GltfState& state, const GltfAccessor& accessor, bool isNormalized, std::vector<float>& out)
{
    out.clear();
    if (!takeFloats(state, accessor))
        return false;
    out.resize(static_cast<std::size_t>(accessor.count() * accessor.components()));
    return readFloats(state, accessor, isNormalized, out.data());
}

bool readFloats(GltfState& state, const GltfAccessor& accessor, bool isNormalized, float* out)
{
    const std::uint32_t components = accessor.components();
    const auto valueCount = static_cast<std::size_t>(accessor.count() * components);
    const ComponentType type = accessor.elements.componentType;
    const std::uint32_t columnStride = columnBytes(accessor, type);
    const std::uint32_t size = componentBytes(type);
    if (type == ComponentType::Float && accessor.sparseIndices.count == 0 && !accessor.elements.bytes.empty() &&
        accessor.elements.strideBytes == std::uint64_t(components) * sizeof(float))
        std::memcpy(out, accessor.elements.bytes.data(), valueCount * sizeof(float));
    else if (!forEachElement(state, accessor,
                 [&](std::uint64_t element, const std::byte* source)
                 {
                     float* values = out + element * components;
                     for (std::uint32_t i = 0; i < components; ++i)
                         values[i] =
                             loadFloat(source + (i / accessor.rows) * columnStride + (i % accessor.rows) * size, type, isNormalized);
                 }))
        return false;
    return type != ComponentType::Float || checkFinite(state, accessor, {out, valueCount});
}

bool readUints(GltfState& state, const GltfAccessor& accessor, std::vector<std::uint32_t>& out)
{
    const ComponentType type = accessor.elements.componentType;
    out.clear();
    if (state.failed())
        return false;
    if (type != ComponentType::Uint8 && type != ComponentType::Uint16 && type != ComponentType::Uint32)
        return state.fail(ErrorCode::BadFile, accessor.path() + ".componentType", "must be an unsigned integer type for this use");
    const std::uint32_t components = accessor.components();
    if (!takeElements(state, accessor))
        return false;
    const auto count = static_cast<std::size_t>(accessor.count() * components);
    if (const std::byte* tight = tightElements(accessor, ComponentType::Uint32))
    {
        const auto* first = reinterpret_cast<const std::uint32_t*>(tight);
        out.assign(first, first + count);
        return true;
    }
    out.resize(count);
    return forEachElement(state, accessor,
        [&](std::uint64_t element, const std::byte* source)
        {
            for (std::uint32_t i = 0; i < components; ++i)
                out[element * components + i] = loadUint(source + i * componentBytes(type), type);
        });
}

} // namespace dl::detail
