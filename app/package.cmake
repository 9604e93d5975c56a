# What `cpack` packs: a Debian package, and a tarball that brings its own libraries and fonts (app/bundle). app/package
# makes both. A licence is not among it: the package's copyright file names only what is used of others.
set(made ${CMAKE_BINARY_DIR}/package)
add_custom_command(OUTPUT ${made}/glassformer.1 DEPENDS glassformer app/man-page COMMENT "Writing the manual page"
  COMMAND ${CMAKE_COMMAND} -E make_directory ${made}
  COMMAND ${CMAKE_SOURCE_DIR}/app/man-page $<TARGET_FILE:glassformer> > ${made}/glassformer.1
  COMMAND gzip -9nkf ${made}/glassformer.1)
add_custom_target(man_page DEPENDS ${made}/glassformer.1)

install(FILES ${made}/glassformer.1.gz DESTINATION ${CMAKE_INSTALL_MANDIR}/man1 OPTIONAL)
install(FILES assets/glassformer.metainfo.xml DESTINATION ${CMAKE_INSTALL_DATADIR}/metainfo)
install(FILES assets/completion.bash DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions RENAME glassformer)
# What is compiled into the program of other people's headers and static libraries.
foreach(package libimgui-dev libeigen3-dev nlohmann-json3-dev libcli11-dev)
  install(FILES /usr/share/doc/${package}/copyright DESTINATION ${CMAKE_INSTALL_DOCDIR}/third-party RENAME ${package} OPTIONAL)
endforeach()
install(CODE "execute_process(COMMAND ${CMAKE_SOURCE_DIR}/app/bundle $<TARGET_FILE:glassformer>
  \"\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}\" COMMAND_ERROR_IS_FATAL ANY)" COMPONENT bundle EXCLUDE_FROM_ALL)

# Who packs is who wrote the last commit, and that is the package's date. A copy without git is not packed.
execute_process(COMMAND git log -1 "--format=%an <%ae>%n%aD" WORKING_DIRECTORY ${CMAKE_SOURCE_DIR}
  OUTPUT_VARIABLE written OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
string(REPLACE "\n" ";" written "${written}")
list(APPEND written unknown unknown)
list(GET written 0 CPACK_DEBIAN_PACKAGE_MAINTAINER)
list(GET written 1 date)
file(STRINGS /etc/os-release debian REGEX "^VERSION_ID=")
string(REGEX REPLACE "[^0-9.]" "" debian "${debian}")
set(CPACK_DEBIAN_PACKAGE_RELEASE "1~deb${debian}")
file(WRITE ${made}/changelog.Debian "glassformer (${PROJECT_VERSION}-${CPACK_DEBIAN_PACKAGE_RELEASE}) unstable; urgency=medium

  * From ${commit}.

 -- ${CPACK_DEBIAN_PACKAGE_MAINTAINER}  ${date}
")
execute_process(COMMAND gzip -9nkf ${made}/changelog.Debian)
install(FILES ${made}/changelog.Debian.gz DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT debian EXCLUDE_FROM_ALL)
install(FILES assets/lintian-overrides DESTINATION ${CMAKE_INSTALL_DATADIR}/lintian/overrides RENAME glassformer
  COMPONENT debian EXCLUDE_FROM_ALL)

set(CMAKE_SKIP_INSTALL_ALL_DEPENDENCY ON)  # packing builds no tests
set(CPACK_GENERATOR DEB TGZ)
set(CPACK_STRIP_FILES ON)
set(CPACK_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)
set(CPACK_PACKAGE_FILE_NAME glassformer-${PROJECT_VERSION}-linux-x86_64)
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "see, train and take apart a Transformer")
set(CPACK_DEBIAN_PACKAGE_DESCRIPTION "Glassformer trains small encoder-decoder Transformers and shows every number
inside them: every attention head, mask, position, weight and gradient, while
the model learns and while it translates what is typed.
.
A trained English-French model and twenty-one lessons come with it.")
set(CPACK_DEBIAN_PACKAGE_SECTION education)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS_PRIVATE_DIRS ${engine_folder})
set(CPACK_DEBIAN_PACKAGE_DEPENDS "fonts-inter, fonts-jetbrains-mono, fonts-dejavu-core, libegl1, libgl1-mesa-dri")
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS xdg-utils)
# Beside what both have: the tarball brings the libraries, the package what Debian asks for.
file(WRITE ${made}/of_generator.cmake "set(also debian)
if(CPACK_GENERATOR STREQUAL \"TGZ\")
  set(also bundle)
endif()
list(APPEND CPACK_INSTALL_CMAKE_PROJECTS \"${CMAKE_BINARY_DIR};glassformer;\${also};/\")
")
set(CPACK_PROJECT_CONFIG_FILE ${made}/of_generator.cmake)
include(CPack)
