# The dictionaries of FIX as string literals, for builtin_dictionaries.cpp.
set(fix_folder ${CMAKE_CURRENT_SOURCE_DIR}/src/codecs/damrak/fix_codec)
set(fix_literals ${CMAKE_CURRENT_BINARY_DIR}/fix_dictionaries)
foreach(name IN ITEMS messages fields)
  set(fix_texts ${fix_folder}/dictionaries/${name}.txt ${fix_folder}/dictionaries/more_${name}.txt)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${fix_texts})
  list(POP_FRONT fix_texts first second)
  file(READ ${first} DAMRAK_DICTIONARY)
  file(READ ${second} more)
  string(APPEND DAMRAK_DICTIONARY "${more}")
  configure_file(${fix_folder}/dictionaries/text.in ${fix_literals}/${name}.inc @ONLY)
endforeach()
set_source_files_properties(src/codecs/damrak/fix_codec/builtin_dictionaries.cpp PROPERTIES
  INCLUDE_DIRECTORIES ${fix_literals})
