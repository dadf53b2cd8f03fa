/* SPDX-License-Identifier: MIT */
/*
 * A web process that its attacker has taken over: a program in its place, with its rights, tries
 * what the table says. What succeeds (0) is what an attacker can do: read the pages, fill the inbox
 * and ask the desk, which asks for tokens. Everything else fails, or kills the process.
 */
#include <criterion/criterion.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include "arena/web/message.h"
#include "sandbox/sandbox.h"

static char room[64];
static int inbox_fd, pages_fd, desk_fd;

static char *in(const char *name)
{
    static char path[160];

    snprintf(path, sizeof path, "%s/%s", room, name);
    return path;
}

static void put(const char *name, mode_t mode)
{
    FILE *file = fopen(in(name), "we");

    cr_assert(file);
    fputs("text\n", file);
    fclose(file);
    cr_assert_eq(chmod(in(name), mode), 0);
}

static void make_room(void)
{
    static const char *const folders[] = {"pages", "pages/site", "home", "inbox", "run"};

    strcpy(room, "/tmp/taken-XXXXXX");
    cr_assert(mkdtemp(room));
    chmod(room, 0755);
    for (size_t i = 0; i < sizeof folders / sizeof *folders; i++)
        cr_assert_eq(mkdir(in(folders[i]), 0755), 0);
    chmod(in("inbox"), 01777);
    put("pages/site/index.html", 0644);
    put("home/arena.db", 0666); /* Landlock alone forbids it, not the mode */
    put("inbox/of-another", 0600);
    pages_fd = open(in("pages"), O_PATH | O_DIRECTORY | O_CLOEXEC);
    inbox_fd = open(in("inbox"), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    desk_fd = message_listen(in("run/desk"), true);
    cr_assert(pages_fd >= 0 && inbox_fd >= 0 && desk_fd >= 0 && chdir(in("run")) == 0);
}

/* ---- attempts: each returns 0 or the error ---- */

static int done(long result)
{
    return result < 0 ? errno : 0;
}

static int write_inbox(void)
{
    int fd = openat(inbox_fd, "upload", O_RDWR | O_CREAT | O_EXCL, 0600);

    return done(fd < 0 ? fd : write(fd, "x", 1) + unlinkat(inbox_fd, "upload", 0));
}

static int make_program(void)
{
    return done(fchmodat(inbox_fd, "upload", 0755, 0));
}

static int link_away(void)
{
    return done(symlinkat("/etc/passwd", inbox_fd, "link"));
}

static int climb(void)
{
    return done(openat(inbox_fd, "../home/arena.db", O_RDONLY));
}

static int ask_desk(void)
{
    int fd = message_connect("desk");

    return fd < 0 ? -fd : 0;
}

static int replace_desk(void)
{
    return done(unlink(in("run/desk")));
}

static int reach_network(void)
{
    return done(socket(AF_INET, SOCK_STREAM, 0));
}

static int listen_anew(void)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX, .sun_path = "evil"};

    return done(bind(socket(AF_UNIX, SOCK_STREAM, 0), (struct sockaddr *)&address, sizeof address));
}

static int linger(void)
{
    int ends[2];

    if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends) < 0)
        return errno;
    return done(setsockopt(ends[0], SOL_SOCKET, SO_LINGER, &(struct linger){1, 1000},
                           sizeof(struct linger)));
}

static int run_program(void)
{
    return done(execl("/bin/true", "true", (char *)NULL));
}

static int start_process(void)
{
    return done(syscall(SYS_fork));
}

static int load_code(void)
{
    void *code =
        mmap(NULL, 4096, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

    return code == MAP_FAILED ? errno : 0;
}

static int trace_parent(void)
{
    return done(ptrace(PTRACE_ATTACH, getppid(), NULL, NULL));
}

static int kill_parent(void)
{
    return done(kill(getppid(), SIGCONT));
}

static int become_root(void)
{
    return done(setuid(0));
}

static int leave_namespace(void)
{
    return done(syscall(SYS_unshare, 0x10000000));
}

static int raise_limits(void)
{
    return done(setrlimit(RLIMIT_CORE, &(struct rlimit){1, 1}));
}

static const struct attempt {
    const char *what;
    int (*try_fn)(void);
    int result;       /* 0, an error, or the signal that kills, negative */
    const char *path; /* opens this path if there is no try_fn */
    int flags;
} attempts[] = {
    {"make and remove files in the inbox", write_inbox, 0},
    {"ask the desk", ask_desk, 0},
    {"read a page", NULL, 0, "pages/site/index.html", O_RDONLY},
    {"change a page", NULL, EACCES, "pages/site/index.html", O_WRONLY},
    {"add a page", NULL, EACCES, "pages/site/evil.html", O_WRONLY | O_CREAT},
    {"read the store", NULL, EACCES, "home/arena.db", O_RDONLY},
    {"change the store", NULL, EACCES, "home/arena.db", O_RDWR},
    {"list the home", NULL, EACCES, "home", O_RDONLY | O_DIRECTORY},
    {"read the accounts of the machine", NULL, EACCES, "/etc/passwd", O_RDONLY},
    {"read its own environment", NULL, EACCES, "/proc/self/environ", O_RDONLY},
    {"read the memory of another process", NULL, EACCES, "/proc/1/mem", O_RDONLY},
    {"read the store by way of the inbox", climb, EACCES},
    {"make a program of an upload", make_program, EPERM},
    {"make a link in the inbox", link_away, EPERM},
    {"take the desk's place", replace_desk, EPERM},
    {"listen at another address", listen_anew, EPERM},
    {"reach the network", reach_network, EPERM},
    {"have the desk wait while it closes a socket that was sent to it", linger, EPERM},
    {"load machine code", load_code, EPERM},
    {"signal the daemon", kill_parent, EPERM},
    {"become root", become_root, EPERM},
    {"raise its limits", raise_limits, EPERM},
    {"run a program", run_program, -SIGSYS},
    {"start a process", start_process, -SIGSYS},
    {"trace the daemon", trace_parent, -SIGSYS},
    {"leave its namespace", leave_namespace, -SIGSYS},
};

/* Tries in a process that is confined as the web process is. */
static int try_confined(const struct attempt *attempt)
{
    struct sandbox_failure failure;
    pid_t pid = fork();
    int status;

    if (pid == 0) {
        if (sandbox_confine_self(&pages_fd, 1, inbox_fd, &failure) < 0)
            _exit(254);
        if (attempt->try_fn)
            _exit(attempt->try_fn());
        _exit(done(
            open(*attempt->path == '/' ? attempt->path : in(attempt->path), attempt->flags, 0644)));
    }
    cr_assert_eq(waitpid(pid, &status, 0), pid);
    return WIFSIGNALED(status) ? -WTERMSIG(status) : WEXITSTATUS(status);
}

static volatile bool ends;

/* Somebody who may write to a socket's folder puts a link to `victim` in the socket's place. */
static void *swap_socket(void *context)
{
    struct stat status;

    while (!ends)
        if (lstat("socket", &status) == 0 && S_ISSOCK(status.st_mode) &&
            rename("socket", "taken") == 0 && symlinkat("victim", AT_FDCWD, "socket") == 0)
            continue;
    return context;
}

Test(taken, a_new_socket_opens_no_other_file_to_all)
{
    char command[80];
    struct stat status;
    pthread_t swapper;
    int opened = 0;

    make_room();
    put("run/victim", 0600);
    cr_assert_eq(pthread_create(&swapper, NULL, swap_socket, NULL), 0);
    for (int i = 0; i < 3000; i++) {
        int fd = message_listen("socket", true);

        if (fd >= 0)
            close(fd);
        cr_assert_eq(stat("victim", &status), 0);
        opened += (status.st_mode & 0777) != 0600;
        unlink("socket");
    }
    ends = true;
    pthread_join(swapper, NULL);
    cr_expect_eq(opened, 0);
    snprintf(command, sizeof command, "rm -r %s", room);
    cr_expect_eq(system(command), 0);
}

static int open_count(void)
{
    int count = 0;

    for (int fd = 0; fd < 256; fd++)
        count += fcntl(fd, F_GETFD) >= 0;
    return count;
}

/* The desk took two files that came with one message, and closed neither. */
Test(taken, files_beside_a_question_do_not_stay_open)
{
    const int files[] = {0, 1};
    char length[] = {0, 0, 0, 0}, *text;
    union {
        char bytes[CMSG_SPACE(sizeof files)];
        struct cmsghdr aligned;
    } control = {.aligned = {CMSG_LEN(sizeof files), SOL_SOCKET, SCM_RIGHTS}};
    struct iovec part = {length, sizeof length};
    const struct msghdr message = {.msg_iov = &part,
                                   .msg_iovlen = 1,
                                   .msg_control = &control,
                                   .msg_controllen = sizeof control.bytes};
    int sockets[2], before, fd;
    size_t size;

    memcpy(CMSG_DATA(&control.aligned), files, sizeof files);
    cr_assert_eq(socketpair(AF_UNIX, SOCK_STREAM, 0, sockets), 0);
    before = open_count();
    cr_assert_eq(sendmsg(sockets[0], &message, 0), 4);
    cr_assert_eq(message_receive(sockets[1], INT64_MAX, 16, &text, &size, &fd), 0);
    free(text);
    cr_expect_eq(open_count() - before, fd >= 0);
}

Test(taken, attempts)
{
    char command[80];

    make_room();
    for (size_t i = 0; i < sizeof attempts / sizeof *attempts; i++) {
        int result = try_confined(&attempts[i]);

        cr_expect_eq(result, attempts[i].result, "%s: %d (%s), not %d", attempts[i].what, result,
                     result > 0 ? strerror(result) : "", attempts[i].result);
    }
    snprintf(command, sizeof command, "rm -r %s", room);
    cr_expect_eq(system(command), 0);
}
