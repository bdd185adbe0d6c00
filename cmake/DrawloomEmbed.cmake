# dl_embed(TARGET SYMBOL FILE): puts a file's bytes into a target as `extern "C" const unsigned char SYMBOL[], SYMBOL_end[]`.
function(dl_embed target symbol file)
    set(assembly ${CMAKE_CURRENT_BINARY_DIR}/${symbol}.c)
    file(GENERATE OUTPUT ${assembly} CONTENT
"__asm__(\".section .rodata\\n.global ${symbol}\\n.global ${symbol}_end\\n.balign 16\\n${symbol}:\\n.incbin \\\"${file}\\\"\\n${symbol}_end:\\n.byte 0\\n.previous\\n\");
typedef int dl_embedded_file;
")
    target_sources(${target} PRIVATE ${assembly})
    set_source_files_properties(${assembly} TARGET_DIRECTORY ${target} PROPERTIES OBJECT_DEPENDS ${file})
endfunction()
