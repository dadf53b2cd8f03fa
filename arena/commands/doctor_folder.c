#include "arena/commands/doctor_folder.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define ECHO_JAVA                                                                                  \
    "import java.io.*; public class Echo { public static void main(String[] a) throws "            \
    "Exception { BufferedReader in = new BufferedReader(new InputStreamReader(System.in)); "       \
    "for (String l; (l = in.readLine()) != null;) { System.out.print(l + \"\\n\"); "               \
    "System.out.flush(); } } }\n"

bool doctor_folder_lay(char folder[static DOCTOR_FOLDER_BYTES])
{
    char path[64];
    FILE *file;

    strcpy(folder, "/tmp/doctor-XXXXXX");
    if (!mkdtemp(folder) || chmod(folder, 0755) < 0)
        return false;
    snprintf(path, sizeof path, "%s/Echo.java", folder);
    file = fopen(path, "we");
    if (!file)
        return false;
    fputs(ECHO_JAVA, file);
    fclose(file);
    return chmod(path, 0644) == 0;
}

void doctor_folder_remove(const char *folder)
{
    char path[64];

    snprintf(path, sizeof path, "%s/Echo.java", folder);
    unlink(path);
    rmdir(folder);
}
