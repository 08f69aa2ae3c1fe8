# Puts files into a program.
#   sightline_embed(TARGET HEADER header NAMESPACE namespace TYPE type FUNCTION function
#                   FOLDER folder [PREFIX prefix] [FILES files...])
# The header declares `std::span<const TYPE> FUNCTION()`, where a TYPE is a name and the bytes. The
# name is PREFIX and the path below the folder.

function(sightline_embed target)
  cmake_parse_arguments(EMBED "" "HEADER;NAMESPACE;TYPE;FUNCTION;FOLDER;PREFIX" "FILES" ${ARGN})
  set(symbols "")
  set(rows "")
  set(number 0)
  foreach(file IN LISTS EMBED_FILES)
    file(RELATIVE_PATH path ${EMBED_FOLDER} ${file})
    set(name ${EMBED_FUNCTION}_${number})
    # The assembler reads the file; as an array of numbers it would take the compiler seconds.
    string(APPEND symbols
      "asm(\".section .rodata\\n\"\n    \"${name}_begin:\\n\"\n"
      "    \".incbin \\\"${file}\\\"\\n\"\n    \"${name}_end:\\n\"\n    \".byte 0\\n\"\n    \".previous\\n\");\n"
      "extern \"C\" const char ${name}_begin[];\nextern \"C\" const char ${name}_end[];\n")
    string(APPEND rows
      "    {\"${EMBED_PREFIX}${path}\", {${name}_begin, static_cast<std::size_t>(${name}_end - ${name}_begin)}},\n")
    math(EXPR number "${number} + 1")
  endforeach()
  set(source ${PROJECT_BINARY_DIR}/generated/${EMBED_FUNCTION}.cpp)
  file(CONFIGURE OUTPUT ${source} @ONLY CONTENT
"// Made by cmake/embed.cmake.
#include \"@EMBED_HEADER@\"

#include <vector>

@symbols@
namespace @EMBED_NAMESPACE@ {

std::span<const @EMBED_TYPE@> @EMBED_FUNCTION@() {
  static const std::vector<@EMBED_TYPE@> kFiles = {
@rows@  };
  return kFiles;
}

}  // namespace @EMBED_NAMESPACE@
")
  set_source_files_properties(${source} PROPERTIES
    OBJECT_DEPENDS "${EMBED_FILES}" SKIP_UNITY_BUILD_INCLUSION ON)
  target_sources(${target} PRIVATE ${source})
endfunction()
