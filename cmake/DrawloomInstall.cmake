# Installs rooms, their public headers, the programs and the CMake package: find_package(Drawloom COMPONENTS merge cull ...).
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

get_property(rooms GLOBAL PROPERTY DRAWLOOM_ROOMS)
set(targets drawloom_glm drawloom_builtin_shaders)
set(room_depends "")
foreach(room IN LISTS rooms)
    list(APPEND targets drawloom_${room})
    get_property(depends GLOBAL PROPERTY DRAWLOOM_ROOM_DEPENDS_${room})
    string(APPEND room_depends "set(Drawloom_depends_${room} ${depends})\n")
endforeach()
install(TARGETS ${targets} EXPORT DrawloomTargets ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(EXPORT DrawloomTargets NAMESPACE Drawloom:: DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/Drawloom)
install(DIRECTORY drawloom DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} FILES_MATCHING PATTERN "*.h" PATTERN detail EXCLUDE)
dl_install_shaders(${CMAKE_INSTALL_LIBDIR}/cmake/Drawloom)
if(TARGET drawloom)
    install(TARGETS drawloom RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
endif()

configure_package_config_file(cmake/DrawloomConfig.cmake.in package/DrawloomConfig.cmake INSTALL_DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/Drawloom)
write_basic_package_version_file(${CMAKE_CURRENT_BINARY_DIR}/package/DrawloomConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/package/DrawloomConfig.cmake ${CMAKE_CURRENT_BINARY_DIR}/package/DrawloomConfigVersion.cmake cmake/DrawloomDependencies.cmake
    DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/Drawloom)
