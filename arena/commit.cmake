# Writes commit.c: the commit that the program is built from, empty outside a checkout. A build runs it
# each time; the file changes only with the commit.
#     cmake -D SOURCE=FOLDER -P commit.cmake
execute_process(COMMAND git -C ${SOURCE} describe --always --dirty --abbrev=12 --exclude=*
                OUTPUT_VARIABLE commit OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
file(CONFIGURE OUTPUT commit.c
     CONTENT "extern const char arena_commit[];\nconst char arena_commit[] = \"${commit}\";\n")
