# drawloom_add_shaders: composes WGSL into a shader archive and embeds it in a target. The library's own shaders use it, and
# so do users of the installed package (docs/extending/shaders.md). Run as a script, this file writes the embedding source.

# drawloom_add_shaders(TARGET MANIFEST file FUNCTION ns::name [ARCHIVE file] [ROOTS folders...])
# Gives TARGET a function `std::span<const std::byte> ns::name()`, declared in the generated header <name>.h, that returns
# the archive of the manifest. Without ARCHIVE the archive is built with the project, which takes node and npm. With ARCHIVE
# a committed file is embedded and node is not needed; the target TARGET_update_shaders rewrites it. May be called more than
# once for a target, with another FUNCTION name each.
# ROOTS: where #import looks, after the manifest's folder and before the library's own modules.
# DRAWLOOM_SHADER_DEPS: folder of the pinned npm packages; filled on first use.
function(drawloom_add_shaders target)
    cmake_parse_arguments(shaders "" "MANIFEST;FUNCTION;ARCHIVE" "ROOTS" ${ARGN})
    if(NOT shaders_MANIFEST OR NOT shaders_FUNCTION)
        message(FATAL_ERROR "drawloom_add_shaders(${target}): MANIFEST and FUNCTION are needed")
    endif()
    string(REGEX REPLACE ".*::" "" name "${shaders_FUNCTION}")
    get_filename_component(manifest "${shaders_MANIFEST}" ABSOLUTE)
    set(folder ${CMAKE_CURRENT_BINARY_DIR}/${target}_generated)
    if(shaders_ARCHIVE)
        get_filename_component(archive "${shaders_ARCHIVE}" ABSOLUTE)
    else()
        set(archive ${folder}/${name}.dlsa)
    endif()

    if(EXISTS ${CMAKE_CURRENT_FUNCTION_LIST_DIR}/shaders/tools/main.mjs) # installed
        set(tools ${CMAKE_CURRENT_FUNCTION_LIST_DIR}/shaders/tools)
        set(modules ${CMAKE_CURRENT_FUNCTION_LIST_DIR}/shaders/wgsl)
    else()
        get_filename_component(modules ${CMAKE_CURRENT_FUNCTION_LIST_DIR} DIRECTORY)
        set(tools ${modules}/tools/shaders)
    endif()
    set(DRAWLOOM_SHADER_DEPS ${CMAKE_BINARY_DIR}/drawloom-shader-tools CACHE PATH "Folder of the npm packages that compile shaders")
    find_program(DRAWLOOM_NODE node)
    set(compose ${DRAWLOOM_NODE} ${tools}/main.mjs --manifest ${manifest} --out ${archive} --deps ${DRAWLOOM_SHADER_DEPS})
    foreach(root IN LISTS shaders_ROOTS)
        get_filename_component(root "${root}" ABSOLUTE)
        list(APPEND compose --root ${root})
    endforeach()
    list(APPEND compose --root ${modules})

    if(NOT shaders_ARCHIVE)
        if(NOT DRAWLOOM_NODE)
            message(FATAL_ERROR "drawloom_add_shaders(${target}): composing shaders takes node and npm; install them, or give ARCHIVE, a committed archive")
        endif()
        add_custom_command(OUTPUT ${archive} COMMAND ${compose} --depfile ${archive}.d DEPENDS ${manifest} DEPFILE ${archive}.d
            COMMENT "Composing shaders of ${target}" VERBATIM)
    elseif(DRAWLOOM_NODE)
        add_custom_target(${target}_update_${name}_archive COMMAND ${compose} VERBATIM)
        if(NOT TARGET ${target}_update_shaders)
            add_custom_target(${target}_update_shaders)
        endif()
        add_dependencies(${target}_update_shaders ${target}_update_${name}_archive)
    endif()

    add_custom_command(OUTPUT ${folder}/${name}.cpp ${folder}/${name}.h
        COMMAND ${CMAKE_COMMAND} -DARCHIVE=${archive} -DFUNCTION=${shaders_FUNCTION} -DFOLDER=${folder} -P ${CMAKE_CURRENT_FUNCTION_LIST_DIR}/DrawloomShaders.cmake
        DEPENDS ${archive} ${CMAKE_CURRENT_FUNCTION_LIST_DIR}/DrawloomShaders.cmake COMMENT "Embedding shaders of ${target}" VERBATIM)
    target_sources(${target} PRIVATE ${folder}/${name}.cpp)
    target_include_directories(${target} PUBLIC $<BUILD_INTERFACE:${folder}>)
endfunction()

# Installs what drawloom_add_shaders() needs beside DrawloomConfig.cmake: this file, the composer, the importable modules.
function(dl_install_shaders destination)
    install(FILES ${PROJECT_SOURCE_DIR}/cmake/DrawloomShaders.cmake DESTINATION ${destination} COMPONENT shaders)
    install(DIRECTORY ${PROJECT_SOURCE_DIR}/tools/shaders/ DESTINATION ${destination}/shaders/tools COMPONENT shaders FILES_MATCHING PATTERN "*.mjs" PATTERN "package.json")
    install(DIRECTORY ${PROJECT_SOURCE_DIR}/drawloom DESTINATION ${destination}/shaders/wgsl COMPONENT shaders FILES_MATCHING PATTERN "*.wgsl" PATTERN "shaders/*.json")
endfunction()

if(NOT CMAKE_SCRIPT_MODE_FILE STREQUAL CMAKE_CURRENT_LIST_FILE)
    return()
endif()

# Script: ARCHIVE, FUNCTION, FOLDER -> FOLDER/<name>.h and .cpp. The bytes go in as 64-bit words (8 times fewer initialisers
# to compile); archives are padded to whole words.
string(REGEX REPLACE ".*::" "" name "${FUNCTION}")
if(FUNCTION MATCHES "^(.+)::[^:]+$")
    set(open "namespace ${CMAKE_MATCH_1}\n{\n")
    set(close "} // namespace ${CMAKE_MATCH_1}\n")
endif()
file(READ ${ARCHIVE} hex HEX)
string(REGEX REPLACE "(..)(..)(..)(..)(..)(..)(..)(..)" "0x\\8\\7\\6\\5\\4\\3\\2\\1,\n" words "${hex}")
file(CONFIGURE OUTPUT ${FOLDER}/${name}.h CONTENT [[// Written by drawloom_add_shaders().
#pragma once
#include <cstddef>
#include <span>
@open@/// A shader archive for dl::gpu::ShaderArchive::open().
std::span<const std::byte> @name@();
@close@]] @ONLY)
file(CONFIGURE OUTPUT ${FOLDER}/${name}.cpp CONTENT [[// Written by drawloom_add_shaders().
#include "@name@.h"
#include <bit>
#include <cstdint>
static_assert(std::endian::native == std::endian::little, "archives are little-endian");
static constexpr std::uint64_t kWords[] = {
@words@};
@open@std::span<const std::byte> @name@()
{
    return std::as_bytes(std::span(kWords));
}
@close@]] @ONLY)
