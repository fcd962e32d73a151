# The bytes of the file FROM as the elements of an array, in the file TO.
file(READ ${FROM} bytes HEX)
string(REGEX REPLACE "(..)" "0x\\1," bytes "${bytes}")
string(REGEX REPLACE "([^\n]{100})" "\\1\n" bytes "${bytes}")
file(WRITE ${TO} "${bytes}\n")
