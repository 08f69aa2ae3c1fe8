# Puts the files below a folder into a program, as page_files() of server/http/page_assets.h.
#   sightline_embed_page(TARGET FOLDER)
# A folder that does not exist gives no files. Looked at again whenever its list of files changes.

function(sightline_embed_page target folder)
  file(GLOB_RECURSE files CONFIGURE_DEPENDS ${folder}/*)
  set(source ${PROJECT_BINARY_DIR}/generated/page_files.cpp)
  set(symbols "")
  set(rows "")
  set(number 0)
  foreach(file IN LISTS files)
    file(RELATIVE_PATH path ${folder} ${file})
    set(name page_file_${number})
    # The assembler reads the file; as an array of numbers it would take the compiler seconds.
    string(APPEND symbols
      "asm(\".section .rodata\\n\"\n    \"${name}_begin:\\n\"\n"
      "    \".incbin \\\"${file}\\\"\\n\"\n    \"${name}_end:\\n\"\n    \".byte 0\\n\"\n    \".previous\\n\");\n"
      "extern \"C\" const char ${name}_begin[];\nextern \"C\" const char ${name}_end[];\n")
    string(APPEND rows
      "    {\"/${path}\", {${name}_begin, static_cast<std::size_t>(${name}_end - ${name}_begin)}},\n")
    math(EXPR number "${number} + 1")
  endforeach()
  file(CONFIGURE OUTPUT ${source} @ONLY CONTENT
"// Made by cmake/embed_page.cmake.
#include \"server/http/page_assets.h\"

#include <vector>

@symbols@
namespace sightline::server {

std::span<const PageFile> page_files() {
  static const std::vector<PageFile> kFiles = {
@rows@  };
  return kFiles;
}

}  // namespace sightline::server
")
  set_source_files_properties(${source} PROPERTIES OBJECT_DEPENDS "${files}")
  target_sources(${target} PRIVATE ${source})
endfunction()
