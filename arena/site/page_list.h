/*
 * The list of a site's files, which lies in the site: for each file a key that stands for what it
 * shows, and what it looked like on disk. A publication learns from this one file which pages need
 * not be written again. A list is believed only if it is whole and has the form that is asked for,
 * and of its files only those that still look the same.
 */
#ifndef ARENA_SITE_PAGE_LIST_H
#define ARENA_SITE_PAGE_LIST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct stat;

struct page_entry {
    char *name;    /* "cup/bot/greedy.html"; owned by the list */
    uint64_t key;  /* of what it shows; 0: none */
    uint64_t sum;  /* of its bytes: page_list_sum */
    int64_t size;  /* bytes */
    int64_t inode; /* on disk, as is the time of its last change */
    int64_t changed_ns;
};

/* Zeroed: empty. */
struct page_list {
    struct page_entry *entries; /* in the order in which they were added */
    size_t count, room;
    uint32_t *slots; /* by name: index into entries + 1; 0: free */
    size_t slot_count;
};

/* Accepts a zeroed list. */
void page_list_finish(struct page_list *list);

/* Adds an entry; copies its name. Returns 0 or -ENOMEM. */
int page_list_add(struct page_list *list, const struct page_entry *entry);

/* Returns the entry of a name, or NULL. It is valid until the next entry is added. */
const struct page_entry *page_list_find(const struct page_list *list, const char *name);

/* True if both have the same files under the same keys, in whatever order. */
bool page_list_equal(const struct page_list *list, const struct page_list *other);

/*
 * Writes a list as text, of *size bytes, which the caller frees. form stands for how pages are
 * written at all. Returns NULL if memory runs out.
 */
char *page_list_pack(const struct page_list *list, uint64_t form, size_t *size);

/* Reads a list. Returns false, with an empty list, if it is damaged or has another form. */
bool page_list_unpack(struct page_list *list, const char *text, size_t size, uint64_t form);

/* Takes over what a file looks like on disk. */
void page_entry_look(struct page_entry *entry, const struct stat *status);

/* True if the file still looks as it did. */
bool page_entry_looks_like(const struct page_entry *entry, const struct stat *status);

/* Returns a number for some bytes; sum: of those before them, 0 at first. */
uint64_t page_list_sum(uint64_t sum, const void *bytes, size_t size);

#endif
