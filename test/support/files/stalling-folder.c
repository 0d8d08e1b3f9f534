/* Listing a folder whose path has "/nas" waits while the file that STALL_FILE names exists, as on a server of files that
   does not answer. To be preloaded. */
#define _GNU_SOURCE
#include <dirent.h>
#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define LIST(name, entry)                                                                      \
  int name(const char *path, struct entry ***list, int (*filter)(const struct entry *),        \
           int (*compare)(const struct entry **, const struct entry **)) {                     \
    int (*real)(const char *, struct entry ***, int (*)(const struct entry *),                 \
                int (*)(const struct entry **, const struct entry **)) = dlsym(RTLD_NEXT, #name); \
    const char *stall = getenv("STALL_FILE");                                                  \
    while (stall && strstr(path, "/nas") && access(stall, F_OK) == 0) usleep(50000);           \
    return real(path, list, filter, compare);                                                  \
  }
LIST(scandir, dirent)
LIST(scandir64, dirent64)
