# Which commit this is, for the one source that says so. A new commit configures again, and compiles that source.
set(commit "unknown commit")
if(EXISTS ${CMAKE_SOURCE_DIR}/.git)  # not that of a folder around a copy without one
  execute_process(COMMAND git describe --always "--exclude=*" --abbrev=8 "--dirty= with changes"
    WORKING_DIRECTORY ${CMAKE_SOURCE_DIR} OUTPUT_VARIABLE found OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
  execute_process(COMMAND git rev-parse --git-path logs/HEAD
    WORKING_DIRECTORY ${CMAKE_SOURCE_DIR} OUTPUT_VARIABLE log OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
  if(found)
    set(commit "commit ${found}")
  endif()
  get_filename_component(log "${log}" ABSOLUTE BASE_DIR ${CMAKE_SOURCE_DIR})
  if(EXISTS ${log})
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${log})
  endif()
endif()

if(GLASSFORMER_PORTABLE)
  set(processors "every x86-64 processor, with engines for AVX-512, for AVX2 and for all others")
elseif(GLASSFORMER_NATIVE)
  set(processors "the kind of processor that compiled it")
else()
  set(processors "every ${CMAKE_SYSTEM_PROCESSOR} processor")
endif()
set(compiler "${CMAKE_CXX_COMPILER_ID} ${CMAKE_CXX_COMPILER_VERSION}")
string(REPLACE "GNU" "GCC" compiler "${compiler}")
set_source_files_properties(app/format/build_facts.cpp PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON
  COMPILE_DEFINITIONS "GLASSFORMER_COMMIT=\"${commit}\";GLASSFORMER_COMPILER=\"${compiler}\";GLASSFORMER_PROCESSORS=\"${processors}\"")
