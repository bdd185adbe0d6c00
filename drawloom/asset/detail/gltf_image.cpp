// drawloom/asset/detail/gltf_image.cpp - reads and decodes the images of a glTF, in parallel. What is missing or broken
// becomes a neutral texel and an issue: a scene without one of its pictures is still worth drawing. A texture's other source
// (EXT_texture_webp) takes the place of one that can not be read. Images that name the same source are one: gltf_image_source.h.
#include "drawloom/asset/detail/gltf_accessor.h"
#include "drawloom/asset/detail/gltf_image_source.h"
#include "drawloom/asset/detail/gltf_source.h"
#include "drawloom/asset/image_decode.h"
#include "drawloom/core/file_read.h"
#include "drawloom/core/parallel.h"

namespace dl::detail
{
namespace
{

/// The file's bytes of one image, and in the end why there are no texels.
struct EncodedImage
{
    ByteBuffer owned;
    std::span<const std::byte> bytes;
    const char* code = nullptr;      ///< null: fine
    std::string problem;             ///< or, with a null code, damage: what a decoder overlooked to give a picture
    bool isExpected = false;         ///< nobody draws it: no warning
    std::uint32_t sameAs = kNoIndex; ///< an image before it with the same source, which is decoded instead
    bool isBroken() const { return code != nullptr; }
    void breakWith(const char* codeIn, std::string message)
    {
        code = codeIn;
        problem = std::move(message);
    }
    void breakAsBasis()
    {
        breakWith("image-format-unsupported", "is named by KHR_texture_basisu alone, and Basis Universal is not read");
        isExpected = true;
    }
};

std::string imageName(const GltfObject& object, std::size_t index)
{
    if (const std::string_view name = object.text("name"); !name.empty())
        return std::string(name);
    const std::string_view uri = object.text("uri");
    if (uri.empty() || isDataUri(uri))
        return "images[" + std::to_string(index) + "]";
    const std::string decoded = decodePercent(uri);
    return decoded.substr(decoded.find_last_of("/\\") + 1);
}

void readUri(GltfState& state, std::string_view uri, std::uint32_t index, ImageSources& sources, EncodedImage& out)
{
    if (isDataUri(uri))
    {
        Result<ByteBuffer> bytes = decodeDataUri(uri);
        if (!bytes)
            return out.breakWith("broken-image", bytes.error().message);
        out.owned = std::move(*bytes);
    }
    else
    {
        const Result<std::filesystem::path> path = resolveInside(state.baseFolder, uri);
        if (!path)
            return out.breakWith(
                path.error().code == ErrorCode::InvalidArgument ? "uri-outside-folder" : "missing-image", path.error().message);
        out.sameAs = sources.findOrAdd(*path, index);
        if (out.sameAs != kNoIndex)
            return;
        Result<ByteBuffer> bytes = readFile(*path, state.readingSettings());
        state.scene.sourceFiles.push_back(path->string());
        if (!bytes && bytes.error().code == ErrorCode::OutOfBudget)
            return static_cast<void>(state.fail(
                ErrorCode::OutOfBudget, GltfObject(state, state.lists.images[index], "images", index).path(), bytes.error().message));
        if (!bytes)
            return out.breakWith("missing-image", bytes.error().message);
        out.owned = std::move(*bytes);
    }
    out.bytes = out.owned;
}

void readEncoded(const GltfObject& object, std::uint32_t index, ImageSources& sources, EncodedImage& out)
{
    GltfState& state = object.state();
    const std::string_view uri = object.text("uri");
    const std::uint32_t viewIndex = object.index("bufferView", state.lists.bufferViews.size());
    if (state.failed())
        return;
    if (!uri.empty())
        readUri(state, uri, index, sources, out);
    else if (GltfBufferView view; viewIndex == kNoIndex)
        out.breakWith("missing-image", "has neither uri nor bufferView");
    else if (openBufferView(state, viewIndex, view))
    {
        out.bytes = view.bytes;
        out.sameAs = sources.findOrAdd(view.bytes, index);
    }
    state.takeBytes(out.owned.size(), object.path());
}

/// Counts the texels before they are decoded.
void admitTexels(const GltfObject& object, const std::string& name, const ImageLimits& limits, EncodedImage& encoded)
{
    if (encoded.isBroken() || encoded.sameAs != kNoIndex)
        return;
    const Result<ImageSize> size = readImageSize(encoded.bytes, name, limits);
    if (size)
        object.state().takeBytes(size->decodedBytes, object.path());
    else
        encoded.breakWith(size.error().code == ErrorCode::Unsupported   ? "image-format-unsupported"
                          : size.error().code == ErrorCode::OutOfBudget ? "image-too-large"
                                                                        : "broken-image",
            size.error().message);
}

/// Images that nothing but KHR_texture_basisu names: they are not read.
std::vector<bool> findBasisImages(GltfState& state)
{
    const std::size_t imageCount = state.lists.images.size();
    std::vector<bool> isBasis(imageCount);
    std::vector<bool> isUsed(imageCount);
    const auto mark = [&](const GltfObject& owner, std::vector<bool>& flags)
    {
        if (const std::uint32_t source = owner.index("source", imageCount); source < imageCount)
            flags[source] = true;
    };
    for (std::size_t i = 0; i < state.lists.textures.size(); ++i)
    {
        const GltfObject texture(state, state.lists.textures[i], "textures", i);
        mark(texture, isUsed);
        if (const std::optional<GltfObject> webp = texture.extension(kWebpExtension))
            mark(*webp, isUsed);
        if (const std::optional<GltfObject> basis = texture.extension(kBasisExtension))
            mark(*basis, isBasis);
    }
    for (std::size_t i = 0; i < imageCount; ++i)
        isBasis[i] = isBasis[i] && !isUsed[i];
    return isBasis;
}

/// By image: whether some material's normal map is it.
std::vector<bool> findNormalMaps(const SceneDescription& scene)
{
    std::vector<bool> isNormal(scene.images.size());
    for (const Material& material : scene.materials)
        if (material.normal.isPresent())
            isNormal[material.normal.imageIndex] = true;
    return isNormal;
}

void redirectTextures(SceneDescription& scene, const std::vector<std::uint32_t>& targets)
{
    for (Material& material : scene.materials)
        material.forEachTexture(
            [&](TextureRef& texture)
            {
                if (texture.isPresent())
                    texture.imageIndex = targets[texture.imageIndex];
            });
}

/// White leaves every factor as it is; a flat normal leaves the surface as it is.
void makeNeutral(Image& image, bool isNormal)
{
    image.format = ImageFormat::Rgba8;
    image.width = image.height = 1;
    image.mipCount = 1;
    image.bytes.assign(4, std::byte{255});
    if (isNormal)
        image.bytes[0] = image.bytes[1] = std::byte{128};
    updateImageFacts(image);
}

void decodeAll(std::vector<EncodedImage>& encoded, std::vector<Image>& images, const ImageLimits& limits)
{
    parallelFor(images.size(), 1,
        [&](std::size_t begin, std::size_t end)
        {
            for (std::size_t i = begin; i < end; ++i)
            {
                if (encoded[i].isBroken() || encoded[i].sameAs != kNoIndex)
                    continue;
                ImageLimits whole = limits;
                whole.refusesDamage = true;
                Result<Image> image = decodeImage(encoded[i].bytes, images[i].name, whole);
                if (!image)
                {
                    encoded[i].problem = image.error().message;
                    image = decodeImage(encoded[i].bytes, images[i].name, limits);
                }
                if (image)
                    images[i] = std::move(*image);
                else
                    encoded[i].breakWith("broken-image", image.error().message);
                encoded[i].owned = {};
            }
        });
}

/// What was said of the first image of a source holds for the others.
void settleRepeated(std::vector<EncodedImage>& encoded)
{
    for (EncodedImage& image : encoded)
        if (image.sameAs != kNoIndex && encoded[image.sameAs].isBroken())
        {
            image.breakWith(encoded[image.sameAs].code, encoded[image.sameAs].problem);
            image.sameAs = kNoIndex; // a neutral texel of its own: what is neutral depends on its use
        }
}

/// Another source where there is one that could be read, else a neutral texel.
void settleBroken(GltfState& state, std::vector<EncodedImage>& encoded)
{
    const std::vector<bool> isNormal = findNormalMaps(state.scene);
    std::vector<std::uint32_t> targets(encoded.size());
    for (std::uint32_t i = 0; i < encoded.size(); ++i)
    {
        targets[i] = i;
        const GltfObject object(state, state.lists.images[i], "images", i);
        if (!encoded[i].isBroken())
        {
            if (!encoded[i].problem.empty())
                state.warn("damaged-image", object.path(), encoded[i].problem + "; what is there of it is used");
            continue;
        }
        const std::uint32_t fallback = state.imageFallbacks[i];
        const bool hasFallback = fallback != kNoIndex && fallback != kUnusedImage && !encoded[fallback].isBroken();
        if (hasFallback)
            targets[i] = fallback;
        if (hasFallback || encoded[i].isExpected)
            state.note(encoded[i].code, object.path(), encoded[i].problem + (hasFallback ? "; its fallback is used" : ""));
        else
            state.warn(encoded[i].code, object.path(), encoded[i].problem);
        encoded[i].problem = std::string(); // a million of them is a file of three megabytes
        makeNeutral(state.scene.images[i], isNormal[i]);
    }
    redirectTextures(state.scene, targets);
}

/// The images with a source of their own move up; what names another one names the first of its source.
void removeRepeated(GltfState& state, const std::vector<EncodedImage>& encoded)
{
    std::vector<Image>& images = state.scene.images;
    std::vector<std::uint32_t> targets(images.size());
    std::uint32_t count = 0;
    for (std::size_t i = 0; i < images.size(); ++i)
    {
        const std::uint32_t first = encoded[i].sameAs;
        targets[i] = first == kNoIndex ? count : targets[first];
        if (first != kNoIndex)
            continue;
        if (count != i)
            images[count] = std::move(images[i]);
        ++count;
    }
    if (count == images.size())
        return;
    state.note("image-shared", "images", std::to_string(images.size() - count) + " name the source of one before them, and are that one");
    images.resize(count);
    redirectTextures(state.scene, targets);
}

} // namespace

void readImages(GltfState& state)
{
    const std::size_t imageCount = state.lists.images.size();
    const ImageLimits limits{.maxTexels = state.settings.maxImageTexels}; // takeBytes holds maxDecodedBytes
    const std::vector<bool> isBasis = findBasisImages(state);
    std::vector<EncodedImage> encoded(imageCount);
    ImageSources sources;
    std::vector<Image>& images = state.scene.images;
    images.resize(imageCount);
    for (std::uint32_t i = 0; i < imageCount && !state.failed(); ++i)
    {
        const GltfObject object(state, state.lists.images[i], "images", i);
        images[i].name = imageName(object, i);
        if (!state.settings.decodeImages)
            continue;
        if (isBasis[i])
            encoded[i].breakAsBasis();
        else
            readEncoded(object, i, sources, encoded[i]);
        admitTexels(object, images[i].name, limits, encoded[i]);
    }
    if (state.failed() || !state.settings.decodeImages)
        return;
    decodeAll(encoded, images, limits);
    settleRepeated(encoded);
    settleBroken(state, encoded);
    removeRepeated(state, encoded);
}

} // namespace dl::detail
