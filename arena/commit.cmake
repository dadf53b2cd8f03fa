# SPDX-License-Identifier: MIT
# Writes commit.c: the commit that the program is built from. An exported tree tells it in arena/commit;
# without that and outside a checkout it is empty. A build runs it each time; the file changes only
# with the commit.
#     cmake -D SOURCE=FOLDER -P commit.cmake
if(EXISTS ${SOURCE}/arena/commit)
  file(READ ${SOURCE}/arena/commit commit)
else()
  execute_process(COMMAND git -C ${SOURCE} describe --always --dirty --abbrev=12 --exclude=*
                  OUTPUT_VARIABLE commit OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
endif()
file(CONFIGURE OUTPUT commit.c
     CONTENT "extern const char arena_commit[];\nconst char arena_commit[] = \"${commit}\";\n")
