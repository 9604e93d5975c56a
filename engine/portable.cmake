# One program for every x86-64 processor: the engine is a shared library that is compiled three times, and the
# dynamic loader of glibc picks the best one that the processor can run from the folders glibc-hwcaps/x86-64-v4
# (AVX-512), x86-64-v3 (AVX2 and FMA) or, for all others, the folder above.
#
# Each library keeps to its own copies of inline functions (-Bsymbolic-functions): otherwise those of the
# program, compiled for every processor, would take their place. Matrices are aligned alike everywhere.
set(engine_folder ${CMAKE_CURRENT_BINARY_DIR}/lib)
# Two folders deep: cpack has a package with a library right below /usr/lib/NAME call ldconfig, which has no use for it.
set(engine_install_folder lib/glassformer/lib)

function(add_portable_engine name level folder)
  add_engine(${name} SHARED)
  set_target_properties(${name} PROPERTIES OUTPUT_NAME glassformer_engine
    LIBRARY_OUTPUT_DIRECTORY ${engine_folder}/${folder})
  target_compile_options(${name} PRIVATE -march=${level})
  target_compile_definitions(${name} PUBLIC EIGEN_MAX_ALIGN_BYTES=64)
  target_link_options(${name} PRIVATE -Wl,-Bsymbolic-functions)
  install(TARGETS ${name} DESTINATION ${engine_install_folder}/${folder})
endfunction()

add_portable_engine(engine x86-64 .)
add_portable_engine(engine_avx2 x86-64-v3 glibc-hwcaps/x86-64-v3)
add_portable_engine(engine_avx512 x86-64-v4 glibc-hwcaps/x86-64-v4)
add_dependencies(engine engine_avx2 engine_avx512)
# Where a tarball's other libraries lie too (app/bundle). DT_RPATH, unlike DT_RUNPATH, holds for what those ask for.
add_link_options(-Wl,--disable-new-dtags)
set(CMAKE_INSTALL_RPATH "$ORIGIN/../${engine_install_folder}")
