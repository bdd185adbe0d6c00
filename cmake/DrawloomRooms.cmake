# dl_room, dl_program, dl_test: one way to declare a room, a program, a room's tests.

# Adds those of the named folders that exist.
function(dl_add_subdirectories base)
    foreach(name IN LISTS ARGN)
        if(EXISTS ${CMAKE_CURRENT_SOURCE_DIR}/${base}/${name}/CMakeLists.txt)
            add_subdirectory(${base}/${name})
        endif()
    endforeach()
endfunction()

# dl_room(NAME [DEPENDS rooms...] [PUBLIC libs...] [PRIVATE libs...] [SOURCES files...] [THROWS files...])
# Makes drawloom_NAME (alias Drawloom::NAME) from the folder's *.cpp and detail/*.cpp, or from SOURCES.
# DEPENDS are the arrows of the design: public links to other rooms. THROWS lists the files that wrap throwing libraries.
function(dl_room name)
    cmake_parse_arguments(room "" "" "DEPENDS;PUBLIC;PRIVATE;SOURCES;THROWS" ${ARGN})
    if(NOT room_SOURCES)
        file(GLOB room_SOURCES CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/*.cpp ${CMAKE_CURRENT_SOURCE_DIR}/detail/*.cpp)
    endif()
    add_library(drawloom_${name} STATIC ${room_SOURCES})
    add_library(Drawloom::${name} ALIAS drawloom_${name})
    set_target_properties(drawloom_${name} PROPERTIES EXPORT_NAME ${name})
    target_include_directories(drawloom_${name} PUBLIC $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}> $<INSTALL_INTERFACE:include>)
    target_compile_features(drawloom_${name} PUBLIC cxx_std_20)
    set_property(GLOBAL PROPERTY DRAWLOOM_ROOM_DEPENDS_${name} ${room_DEPENDS})
    list(TRANSFORM room_DEPENDS PREPEND drawloom_)
    target_link_libraries(drawloom_${name} PUBLIC ${room_DEPENDS} ${room_PUBLIC} PRIVATE $<BUILD_INTERFACE:drawloom_options> ${room_PRIVATE})
    target_compile_options(drawloom_${name} PRIVATE $<$<COMPILE_LANGUAGE:CXX>:-fno-exceptions>)
    if(room_THROWS)
        set_source_files_properties(${room_THROWS} PROPERTIES COMPILE_OPTIONS -fexceptions)
    endif()
    set_property(GLOBAL APPEND PROPERTY DRAWLOOM_ROOMS ${name})
endfunction()

# dl_program(NAME SOURCES files... LIBS targets...): an executable in build/<preset>/bin.
function(dl_program name)
    cmake_parse_arguments(program "" "" "SOURCES;LIBS" ${ARGN})
    add_executable(${name} ${program_SOURCES})
    target_link_libraries(${name} PRIVATE drawloom_options ${program_LIBS})
endfunction()

# dl_test(NAME LIBS targets... [SOURCES files...] [LABELS labels...]): test_NAME from the folder's *_test.cpp (and
# *_fixture.cpp), run as one ctest test in the source folder.
function(dl_test name)
    cmake_parse_arguments(test "" "" "SOURCES;LIBS;LABELS" ${ARGN})
    if(NOT test_SOURCES)
        file(GLOB test_SOURCES CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/*_test.cpp ${CMAKE_CURRENT_SOURCE_DIR}/*_fixture.cpp)
    endif()
    find_package(GTest REQUIRED)
    add_executable(test_${name} ${test_SOURCES})
    target_link_libraries(test_${name} PRIVATE drawloom_options ${test_LIBS} GTest::gmock GTest::gtest_main)
    add_test(NAME ${name} COMMAND test_${name} WORKING_DIRECTORY ${PROJECT_SOURCE_DIR})
    set_tests_properties(${name} PROPERTIES TIMEOUT 900 LABELS "${test_LABELS}")
endfunction()
