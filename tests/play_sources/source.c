/* SPDX-License-Identifier: MIT */
/* Taking in a bot: what is refused, in one line that names it, and what is kept otherwise. */
#include "arena/play/source.h"

#include <criterion/criterion.h>
#include <dirent.h>
#include <fcntl.h>
#include <limits.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include <utime.h>

#include "arena/play/build.h"
#include "arena/base/tree.h"
#include "sandbox/sandbox.h"

static char room[] = "/tmp/source-test-XXXXXX";
static struct stage *stage;
static struct sandbox *sandbox;
static struct source_options options = {.build_space_bytes = 64 << 20};

static const char *below(const char *name)
{
    static char paths[4][PATH_MAX];
    static int next;
    char *path = paths[next++ % 4];

    snprintf(path, PATH_MAX, "%s/%s", room, name);
    return path;
}

static void write_file(const char *name, const char *text, mode_t mode)
{
    FILE *file = fopen(below(name), "w");

    cr_assert_not_null(file, "%s", name);
    fputs(text, file);
    fclose(file);
    cr_assert_eq(chmod(below(name), mode), 0);
}

static void make_room(void)
{
    struct sandbox_failure failure = {0};

    cr_assert_not_null(mkdtemp(room));
    cr_assert_eq(setenv("TMPDIR", room, 1), 0);
    stage = stage_create(NULL);
    cr_assert_not_null(stage);
    cr_assert_eq(sandbox_create(&sandbox, NULL, &failure), 0, "%s", failure.step);
    options.sandbox = sandbox;
}

static void remove_room(void)
{
    sandbox_destroy(sandbox);
    stage_destroy(stage);
    tree_remove(room);
}

TestSuite(source, .init = make_room, .fini = remove_room);

#define BUILD(script) "{\"run\": [\"./good\"], \"build\": [\"sh\", \"-c\", \"" script "\"]}"

/* One row per case; the bot's folder is "bot". */
/* clang-format off */
static const struct {
    const char *rule;
    const char *manifest; /* NULL: none */
    const char *path;     /* of the file or folder that is named as the bot */
    const char *words[2]; /* that the line has to say */
} refused[] = {
    {"nothing there", NULL, "none", {"none", "name a bot's folder or an executable"}},
    {"no manifest", NULL, "bot", {"bot/bot.json", "write a manifest"}},
    {"a broken manifest", "{", "bot", {"bot/bot.json", "JSON"}},
    {"a manifest without run", "{}", "bot", {"bot/bot.json", "\"run\" is missing"}},
    {"no such file", "{\"run\": [\"./none\"]}", "bot", {"./none", "not a file in the bot's folder"}},
    {"an absolute path", "{\"run\": [\"/bin/true\"]}", "bot", {"/bin/true", "not a file in the bot's folder: name an installed program without its folder"}},
    {"a command line in one text", "{\"run\": [\"python3 bot.py\"]}", "bot", {"starts python3 bot.py", "each argument is a text of its own"}},
    {"a byte order mark", "\xef\xbb\xbf{\"run\": [\"./good\"]}", "bot", {"begins with a byte order mark", "save it as UTF-8 without one"}},
    {"a link to a program elsewhere", "{\"run\": [\"./elsewhere\"]}", "bot", {"./elsewhere", "not a file in the bot's folder"}},
    {"a link to a file elsewhere", "{\"run\": [\"./secret\"]}", "bot", {"./secret", "not a file in the bot's folder"}},
    {"is not executable", "{\"run\": [\"./plain\"]}", "bot", {"plain", "chmod +x"}},
    {"a folder as program", "{\"run\": [\"./folder\"]}", "bot", {"folder", "is not executable"}},
    {"no such program", "{\"run\": [\"no-such-program\"]}", "bot", {"no-such-program", "have this one installed"}},
    {"a folder where programs are", "{\"run\": [\".\"]}", "bot", {"starts ., which is not in /usr/local/bin", "have this one installed"}},
    {"a plain file", NULL, "bot/plain", {"plain", "chmod +x"}},
    {"a script with line ends of Windows", "{\"run\": [\"./windows\"]}", "bot", {"/windows", "carriage return"}},
    {"a plain script with line ends of Windows", NULL, "bot/windows", {"/windows", "carriage return"}},
    {"a build script with line ends of Windows", "{\"run\": [\"./good\"], \"build\": [\"./windows\"]}", "bot", {"/windows", "carriage return"}},
    {"a build that fails", "{\"run\": [\"./good\"], \"build\": [\"sh\", \"-c\", \"echo so it is; exit 3\"]}", "bot", {"exited with 3", "so it is"}},
    {"a build that cannot run", "{\"run\": [\"./good\"], \"build\": [\"./none\"]}", "bot", {"build failed", "cannot be executed"}},
    {"a build whose program is not installed", "{\"run\": [\"./good\"], \"build\": [\"no-such-make\"]}", "bot", {"the bot's build failed: no-such-make is not in /usr/local/bin", "have this one installed"}},
    {"a build that dies", "{\"run\": [\"./good\"], \"build\": [\"sh\", \"-c\", \"kill -ABRT $$\"]}", "bot", {"build failed", "signal 6"}},
    {"a build whose lock on a file of the system has no effect", BUILD("exec 9</usr/bin/env; flock 9 && flock -n /usr/bin/env echo free && exit 5"), "bot", {"exited with 5: free", ""}},
    {"a build that writes to a device", BUILD("echo gone >/dev/null && echo kept && exit 5"), "bot", {"exited with 5: kept", ""}},
    {"a build that marks a device", BUILD("touch /dev/null 2>/dev/null || { echo refused; exit 5; }"), "bot", {"exited with 5: refused", ""}},
    {"a build that prints without end", BUILD("exec yes"), "bot", {"printed more than 64 MiB", ""}},
    {"a build that locks without end", BUILD("exec perl -e 'open F,q(>x); $l = pack(q(ssx4qqix4),1,0,0,0,0); fcntl F,6,$l while 1'"), "bot", {"forbidden system call fcntl", ""}},
    {"a build that takes too much room", BUILD("head -c 80M /dev/zero >x; sleep 60"), "bot", {"more than 64 MiB", "--build-space"}},
    {"a build that took it and is gone", BUILD("head -c 80M /dev/zero >x"), "bot", {"more than 64 MiB", "--build-space"}},
    {"a build that takes it in /tmp too", BUILD("head -c 40M /dev/zero >x; head -c 40M /dev/zero >/tmp/x; sleep 60"), "bot", {"the build's folder and /tmp", "more than 64 MiB"}},
    {"a build that does when its first thread is gone", BUILD("exec python3 -c 'import ctypes, threading, time; threading.Thread(target=lambda: (time.sleep(.2), open(\\\"/tmp/x\\\", \\\"wb\\\").write(bytes(40 << 20)), open(\\\"x\\\", \\\"wb\\\").write(bytes(40 << 20)), time.sleep(60))).start(); ctypes.CDLL(None).pthread_exit(None)'"), "bot", {"the build's folder and /tmp", "more than 64 MiB"}},
    {"a build that makes too many files", BUILD("mkdir d; cd d; touch $(seq 7000); sleep 60"), "bot", {"more than 6400 files", "--build-space"}},
    {"a build that nests folders", BUILD("for i in $(seq 150); do mkdir d; cd d; done; sleep 60"), "bot", {"deeper than 128", ""}},
    {"keeping what a link of the build leads to", "{\"run\": [\"./good\"], \"keep\": [\"x/etc/passwd\"], \"build\": [\"ln\", \"-s\", \"/\", \"x\"]}", "bot", {"\"keep\" names x/etc/passwd, which the bot's build did not make", ""}},
    {"the same, if the link is kept", "{\"run\": [\"./good\"], \"keep\": [\"x\", \"x/etc/passwd\"], \"build\": [\"ln\", \"-s\", \"/\", \"x\"]}", "bot", {"\"keep\" names x/etc/passwd, which the bot's build did not make", ""}},
    {"a build that makes nothing", "{\"run\": [\"./made\"], \"build\": [\"true\"]}", "bot", {"./made", "not a file in the bot's folder"}},
    {"a folder as manifest", "DIR", "bot", {"bot/bot.json", "is not a file"}},
    {"a fifo as manifest", "FIFO", "bot", {"bot.json", "is neither a file, a folder nor a link"}},
    {"a device", NULL, "device", {"device", "neither a bot's folder nor an executable"}},
};
/* clang-format on */

static void make_bot(const char *manifest)
{
    tree_remove(below("bot"));
    cr_assert_eq(mkdir(below("bot"), 0755), 0);
    cr_assert_eq(mkdir(below("bot/folder"), 0755), 0);
    write_file("bot/plain", "text\n", 0644);
    write_file("bot/good", "#!/bin/sh\n", 0755);
    write_file("bot/windows", "#!/bin/sh\r\necho\r\n", 0755);
    cr_assert_eq(symlink(below("program"), below("bot/elsewhere")), 0);
    cr_assert_eq(symlink(below("secret"), below("bot/secret")), 0);
    cr_assert_eq(symlink("/usr/bin/env", below("bot/installed")), 0);
    if (manifest && strcmp(manifest, "DIR") == 0)
        cr_assert_eq(mkdir(below("bot/bot.json"), 0755), 0);
    else if (manifest && strcmp(manifest, "FIFO") == 0)
        cr_assert_eq(mkfifo(below("bot/bot.json"), 0644), 0);
    else if (manifest)
        write_file("bot/bot.json", manifest, 0644);
}

Test(source, refusals)
{
    cr_assert_eq(symlink("/dev/null", below("device")), 0);
    write_file("program", "#!/bin/sh\n", 0755);
    write_file("secret", "of the organizer's\n", 0600);
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
        char error[SOURCE_ERROR_BYTES] = "", copy[PATH_MAX];
        struct source source;

        make_bot(refused[i].manifest);
        cr_expect_eq(source_open(&source, below(refused[i].path), stage->path, 7, &options, error),
                     -1, "%s was taken", refused[i].rule);
        for (int word = 0; word < 2; word++)
            cr_expect_not_null(strstr(error, refused[i].words[word]), "%s: %s", refused[i].rule,
                               error);
        cr_expect_null(strchr(error, '\n'), "%s: more than one line", refused[i].rule);
        cr_expect_null(source.folder);
        snprintf(copy, sizeof copy, "%s/7", stage->path);
        cr_expect_neq(access(copy, F_OK), 0, "%s: its copy stays", refused[i].rule);
    }
}

Test(source, of_a_folder)
{
    char error[SOURCE_ERROR_BYTES] = "", hash[PACKAGE_HASH_CHARS + 1];
    struct source source;
    struct stat status;

    make_bot("{\"run\": [\"./good\"], \"version\": \"3\"}");
    cr_assert_eq(package_copy(below("bot"), NULL, hash, error), 0);
    cr_assert_eq(source_open(&source, below("bot/"), stage->path, 0, &options, error), 0, "%s",
                 error);
    cr_expect_str_eq(source.manifest.name, "bot", "named after its folder");
    cr_expect_str_eq(source.manifest.version, "3");
    cr_expect_str_eq(source.sha256, hash);
    cr_assert_eq(stat(source.folder, &status), 0);
    cr_expect_eq(source.folder[0], '/');
    /* The author may now change the original without any effect. */
    tree_remove(below("bot"));
    cr_expect_eq(package_copy(source.folder, NULL, hash, error), 0);
    cr_expect_str_eq(source.sha256, hash);
    source_close(&source);
    source_close(&source);
}

/*
 * An open deleted file uses the disk, though no folder contains it: a small disk of its own shows
 * that.
 */
Test(source, of_a_build_that_deletes_what_it_writes)
{
    struct sandbox_failure failure = {0};
    char error[SOURCE_ERROR_BYTES] = "", *small;
    struct source source;

    if (geteuid() != 0)
        cr_skip_test("mounts a disk, as root only");
    make_bot(BUILD("exec 3>x; rm x; head -c 190M /dev/zero >&3; sleep 60"));
    cr_assert_eq(mkdir(below("small"), 0755), 0);
    cr_assert_eq(unshare(CLONE_NEWNS), 0);
    cr_assert_eq(mount("none", "/", NULL, MS_REC | MS_PRIVATE, NULL), 0);
    cr_assert_eq(mount("small", below("small"), "tmpfs", 0, "size=200m"), 0);
    cr_assert_gt(asprintf(&small, "%s/stage", below("small")), 0);
    cr_assert_eq(mkdir(small, 0700), 0);
    sandbox_destroy(sandbox); /* the mount is to be in its copies of the mounts */
    cr_assert_eq(sandbox_create(&sandbox, NULL, &failure), 0, "%s", failure.step);
    options.sandbox = sandbox;
    cr_expect_eq(source_open(&source, below("bot"), small, 0, &options, error), PACKAGE_REFUSED);
    cr_expect_not_null(strstr(error, "more than 64 MiB"), "%s", error);
    free(small);
    cr_assert_eq(umount2(below("small"), MNT_DETACH), 0);
}

/* Like the python of a virtual environment. */
Test(source, of_a_link_to_an_installed_program)
{
    char error[SOURCE_ERROR_BYTES] = "";
    struct source source;

    make_bot("{\"run\": [\"./installed\", \"true\"]}");
    cr_assert_eq(source_open(&source, below("bot"), stage->path, 0, &options, error), 0, "%s",
                 error);
    source_close(&source);
}

Test(source, that_is_built)
{
    char error[SOURCE_ERROR_BYTES] = "", hash[PACKAGE_HASH_CHARS + 1], made[PATH_MAX];
    struct source source;

    make_bot("{\"run\": [\"./made\"], \"build\": [\"cp\", \"good\", \"made\"]}");
    cr_assert_eq(package_copy(below("bot"), NULL, hash, error), 0);
    cr_assert_eq(source_open(&source, below("bot"), stage->path, 0, &options, error), 0, "%s",
                 error);
    cr_expect_str_eq(source.sha256, hash, "the hash is of what was given, not of what was built");
    snprintf(made, sizeof made, "%s/made", source.folder);
    cr_expect_eq(access(made, X_OK), 0);
    cr_expect_neq(access(below("bot/made"), F_OK), 0, "built beside the original");
    source_close(&source);
}

/* What a build may put in place of its manifest. */
static const char *const replaced[] = {
    "rm bot.json",
    "rm bot.json && ln -s /dev/stdin bot.json",
    "rm bot.json && ln -s /etc/hostname bot.json",
    "rm bot.json && mkdir -p bot.json/a/b && touch bot.json/a/b/c && chmod 0 bot.json/a/b",
    "echo nonsense > bot.json",
    "chmod 0 bot.json",
};

Test(source, the_manifest_as_given_is_back_after_the_build)
{
    for (size_t i = 0; i < sizeof replaced / sizeof *replaced; i++) {
        char error[SOURCE_ERROR_BYTES] = "", manifest[512], file[PATH_MAX], text[512] = "";
        struct source source;
        struct stat status;
        FILE *kept;

        snprintf(manifest, sizeof manifest,
                 "{\"run\": [\"./good\"], \"build\": [\"sh\", \"-c\", \"%s\"]}", replaced[i]);
        make_bot(manifest);
        cr_assert_eq(source_open(&source, below("bot"), stage->path, 0, &options, error), 0,
                     "%s: %s", replaced[i], error);
        cr_expect_str_eq(source.manifest_text, manifest);
        snprintf(file, sizeof file, "%s/bot.json", source.folder);
        cr_assert_eq(lstat(file, &status), 0, "%s", replaced[i]);
        cr_expect(S_ISREG(status.st_mode) && (status.st_mode & 07777) == 0644, "%s", replaced[i]);
        kept = fopen(file, "r");
        cr_assert_not_null(kept);
        cr_expect_eq(fread(text, 1, sizeof text - 1, kept), strlen(manifest));
        fclose(kept);
        cr_expect_str_eq(text, manifest, "%s", replaced[i]);
        source_close(&source);
    }
}

Test(source, a_build_leaves_no_mode_but_0755_and_0644)
{
    char error[SOURCE_ERROR_BYTES] = "", command[PATH_MAX + 128];
    struct source source;

    make_bot(
        "{\"run\": [\"./good\"], \"build\": [\"sh\", \"-c\", \"mkdir -p d/e && cp good d/uid &&"
        " chmod 6755 d/uid && cp plain d/all && chmod 666 d/all && chmod 1777 d/e && chmod 700"
        " d\"]}");
    cr_assert_eq(source_open(&source, below("bot"), stage->path, 0, &options, error), 0, "%s",
                 error);
    snprintf(command, sizeof command,
             "test -z \"$(find %s ! -type l ! -perm 755 ! -perm 644 -print)\" && test -x %s/d/uid",
             source.folder, source.folder);
    cr_expect_eq(system(command), 0);
    source_close(&source);
}

/* ---- builds in the cache ---- */

static void count_output(void *owner, const char *bytes, size_t size)
{
    *(size_t *)owner += size;
}

/* Opens the bot with a cache. Returns how much its build printed, 0 if the build was not run. */
static size_t printed_by_build(const char *script, bool rebuild)
{
    char error[SOURCE_ERROR_BYTES] = "", made[PATH_MAX];
    size_t printed = 0;
    struct source_options cached = options;
    struct source source;

    make_bot(script);
    cached.cache = below("cache/builds");
    cached.rebuild = rebuild;
    cached.owner = &printed;
    cached.output_fn = count_output;
    cr_assert_eq(source_open(&source, below("bot"), stage->path, 3, &cached, error), 0, "%s",
                 error);
    snprintf(made, sizeof made, "%s/made", source.folder);
    cr_expect_eq(access(made, X_OK), 0);
    source_close(&source);
    return printed;
}

Test(source, a_build_is_not_made_again)
{
    const char *const script = BUILD("echo making; rm bot.json; cp good made"),
                      *const other = BUILD("echo making; sleep 0; cp good made");
    char command[PATH_MAX + 64];

    cr_expect_gt(printed_by_build(script, false), 0, "the first time");
    cr_expect_eq(printed_by_build(script, false), 0, "it is there");
    cr_expect_gt(printed_by_build(script, true), 0, "asked for");
    cr_expect_eq(printed_by_build(script, false), 0);
    cr_expect_gt(printed_by_build(other, false), 0, "another build");
    cr_expect_eq(printed_by_build(script, false), 0);
    snprintf(command, sizeof command, "test $(ls %s/cache/builds | grep -Ecx '[0-9a-f]{64}') -eq 2",
             room);
    cr_expect_eq(system(command), 0, "each is named by a whole hash");
    snprintf(command, sizeof command, "for f in %s/cache/builds/*/built/made; do echo x >>$f; done",
             room);
    cr_assert_eq(system(command), 0);
    cr_expect_gt(printed_by_build(script, false), 0, "what was kept is damaged");
    cr_expect_eq(printed_by_build(script, false), 0);
}

Test(source, of_an_executable)
{
    char error[SOURCE_ERROR_BYTES] = "";
    struct source source;

    write_file("tool", "abc", 0755);
    cr_assert_eq(source_open(&source, below("tool"), stage->path, 0, &options, error), 0, "%s",
                 error);
    cr_expect_str_eq(source.manifest.name, "tool");
    cr_expect_str_eq(source.manifest.run[0], "./bot");
    cr_expect_null(source.manifest.run[1]);
    cr_expect_str_eq(source.sha256,
                     "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    source_close(&source);
}

/* Creates a stage like that of an arena that was killed an hour ago. */
static void leave_a_stage(char path[static PATH_MAX])
{
    struct utimbuf hour_ago = {.actime = time(NULL) - 3600, .modtime = time(NULL) - 3600};
    int result_pipe[2];
    ssize_t size;
    pid_t child;

    cr_assert_eq(pipe(result_pipe), 0);
    child = fork();
    if (child == 0) {
        const struct stage *left = stage_create(NULL);

        if (!left || write(result_pipe[1], left->path, strlen(left->path) + 1) < 0)
            _exit(1);
        _exit(0);
    }
    waitpid(child, NULL, 0);
    size = read(result_pipe[0], path, PATH_MAX);
    cr_assert_gt(size, 1);
    cr_assert_eq(utime(path, &hour_ago), 0);
}

Test(source, stages_of_dead_arenas_go_and_of_living_ones_stay)
{
    struct utimbuf hour_ago = {.actime = time(NULL) - 3600, .modtime = time(NULL) - 3600};
    struct stage *another;
    char left[PATH_MAX];

    leave_a_stage(left);
    cr_assert_eq(access(left, F_OK), 0);
    cr_assert_eq(utime(stage->path, &hour_ago), 0);
    another = stage_create(NULL);
    cr_assert_not_null(another);
    cr_expect_neq(access(left, F_OK), 0, "the stage of a dead arena is still there");
    cr_expect_eq(access(stage->path, F_OK), 0, "the stage of a living arena was removed");
    stage_destroy(another);
    cr_expect_neq(access(below("arena-stage-"), F_OK), 0);
}

static int count_descriptors(void)
{
    DIR *folder = opendir("/proc/self/fd");
    int count = 0;

    while (readdir(folder))
        count++;
    closedir(folder);
    return count;
}

/* A daemon creates one for every season that it begins, for months. */
Test(source, a_stage_leaves_no_descriptor_open)
{
    int before = count_descriptors();

    for (int i = 0; i < 20; i++) {
        struct stage *another = stage_create(NULL);

        cr_assert_not_null(another);
        stage_destroy(another);
    }
    cr_expect_eq(count_descriptors(), before, "%d descriptors, not %d", count_descriptors(),
                 before);
}

Test(source, nobody_else_enters_a_stage)
{
    struct stat status;

    cr_assert_eq(stat(stage->path, &status), 0);
    cr_expect_eq(status.st_mode & 07777, 0700);
}
