/*
 * libarchive, loaded when a package is first packed or unpacked: it depends on a dozen libraries,
 * and loading them would cost every other command more time and memory than its own work.
 */
#ifndef ARENA_STORE_LIBARCHIVE_H
#define ARENA_STORE_LIBARCHIVE_H

#include <archive.h>
#include <archive_entry.h>

/* The functions that are used, one per line. */
#define LIBARCHIVE_FUNCTIONS(FUNCTION)                                                             \
    FUNCTION(archive_entry_clear)                                                                  \
    FUNCTION(archive_entry_filetype)                                                               \
    FUNCTION(archive_entry_free)                                                                   \
    FUNCTION(archive_entry_hardlink)                                                               \
    FUNCTION(archive_entry_new)                                                                    \
    FUNCTION(archive_entry_pathname)                                                               \
    FUNCTION(archive_entry_perm)                                                                   \
    FUNCTION(archive_entry_set_filetype)                                                           \
    FUNCTION(archive_entry_set_pathname)                                                           \
    FUNCTION(archive_entry_set_perm)                                                               \
    FUNCTION(archive_entry_set_size)                                                               \
    FUNCTION(archive_entry_set_symlink)                                                            \
    FUNCTION(archive_errno)                                                                        \
    FUNCTION(archive_error_string)                                                                 \
    FUNCTION(archive_read_data_block)                                                              \
    FUNCTION(archive_read_free)                                                                    \
    FUNCTION(archive_read_new)                                                                     \
    FUNCTION(archive_read_next_header)                                                             \
    FUNCTION(archive_read_open_memory)                                                             \
    FUNCTION(archive_read_support_format_tar)                                                      \
    FUNCTION(archive_set_error)                                                                    \
    FUNCTION(archive_write_close)                                                                  \
    FUNCTION(archive_write_data)                                                                   \
    FUNCTION(archive_write_data_block)                                                             \
    FUNCTION(archive_write_disk_new)                                                               \
    FUNCTION(archive_write_disk_set_options)                                                       \
    FUNCTION(archive_write_finish_entry)                                                           \
    FUNCTION(archive_write_free)                                                                   \
    FUNCTION(archive_write_header)                                                                 \
    FUNCTION(archive_write_new)                                                                    \
    FUNCTION(archive_write_open2)                                                                  \
    FUNCTION(archive_write_set_bytes_in_last_block)                                                \
    FUNCTION(archive_write_set_format_pax_restricted)

#define LIBARCHIVE_FIELD(name) __typeof__(name) *name;

/* Pointers to the functions, under their own names. Zeroed: not loaded. */
struct libarchive {
    LIBARCHIVE_FUNCTIONS(LIBARCHIVE_FIELD)
};

/*
 * Loads the library, once. Returns 0, or -1 if it is not installed or lacks a function. Never
 * unloads it.
 */
int libarchive_load(struct libarchive *library);

#endif
