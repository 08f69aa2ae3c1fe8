# A room is one static library of its folder, with the tests that stand beside its sources.
#   sightline_room(NAME DEPENDS rooms... LINKS libraries...)
# Every x.cpp, also in folders below, belongs to the room, every x_test.cpp to its test program.

add_library(sightline_flags INTERFACE)
target_include_directories(sightline_flags INTERFACE
  ${PROJECT_SOURCE_DIR} ${PROJECT_BINARY_DIR}/generated)
target_compile_options(sightline_flags INTERFACE
  -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wno-sign-conversion
  $<$<CXX_COMPILER_ID:GNU>:-Wno-restrict>  # GCC 12 sees overlaps in std::string that are none
  $<$<CXX_COMPILER_ID:Clang>:-Wno-deprecated-declarations>)  # of libstdc++'s own, in stable_sort
if(SIGHTLINE_WERROR)
  target_compile_options(sightline_flags INTERFACE -Werror)
endif()
if(SIGHTLINE_SANITIZE)
  target_compile_options(sightline_flags INTERFACE
    -fsanitize=${SIGHTLINE_SANITIZE} -fno-omit-frame-pointer -fno-sanitize-recover=all)
  target_link_options(sightline_flags INTERFACE -fsanitize=${SIGHTLINE_SANITIZE})
endif()

# Reading the headers takes longer than anything else: sources share it, a dozen at a time.
function(sightline_join_sources target)
  set_target_properties(${target} PROPERTIES
    UNITY_BUILD ${SIGHTLINE_JOIN_SOURCES} UNITY_BUILD_BATCH_SIZE 12)
endfunction()

function(sightline_room name)
  cmake_parse_arguments(ROOM "" "" "DEPENDS;LINKS" ${ARGN})
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS *.cpp)
  file(GLOB_RECURSE tests CONFIGURE_DEPENDS *_test.cpp)
  if(tests)
    list(REMOVE_ITEM sources ${tests})
  endif()
  list(TRANSFORM ROOM_DEPENDS PREPEND sightline_)
  if(sources)
    add_library(sightline_${name} STATIC ${sources})
    sightline_join_sources(sightline_${name})
    set(scope PUBLIC)
  else()
    add_library(sightline_${name} INTERFACE)
    set(scope INTERFACE)
  endif()
  target_link_libraries(sightline_${name} ${scope} sightline_flags ${ROOM_DEPENDS} ${ROOM_LINKS})
  if(SIGHTLINE_TESTS AND tests)
    add_executable(${name}_test ${tests})
    sightline_join_sources(${name}_test)
    target_link_libraries(${name}_test PRIVATE sightline_${name} GTest::gtest_main GTest::gmock)
    gtest_discover_tests(${name}_test TEST_PREFIX "${name}: " DISCOVERY_TIMEOUT 60)
  endif()
endfunction()
