/* SPDX-License-Identifier: MIT */
#include "tests/hostile/attacks/attacks.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <mqueue.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mount.h>
#include <sys/msg.h>
#include <sys/personality.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/sem.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/un.h>
#include <unistd.h>

static void sockets(void)
{
    static const struct {
        int family, type;
    } kinds[] = {{AF_INET, SOCK_STREAM},   {AF_INET6, SOCK_DGRAM},  {AF_UNIX, SOCK_STREAM},
                 {AF_NETLINK, SOCK_RAW},   {AF_PACKET, SOCK_RAW},   {AF_VSOCK, SOCK_STREAM},
                 {AF_ALG, SOCK_SEQPACKET}, {AF_BLUETOOTH, SOCK_RAW}};

    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        attack_tell(socket(kinds[i].family, kinds[i].type, 0));
}

static void datagram_pair(void)
{
    int ends[2];

    attack_tell(socketpair(AF_UNIX, SOCK_DGRAM, 0, ends));
    attack_tell(socketpair(AF_UNIX, SOCK_SEQPACKET, 0, ends));
}

static void addressed_send(void)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX, .sun_path = "\0meet"};
    int ends[2];

    attack_tell(socketpair(AF_UNIX, SOCK_STREAM, 0, ends));
    attack_tell(sendto(ends[0], "x", 1, 0, (struct sockaddr *)&address, sizeof address));
    attack_tell(bind(ends[0], (struct sockaddr *)&address, sizeof address));
    attack_tell(connect(ends[0], (struct sockaddr *)&address, sizeof address));
}

/* Out-of-band bytes of socket pairs: no program needs them, and they had kernel vulnerabilities. */
static void urgent_bytes(void)
{
    struct msghdr message = {0};
    char byte;
    int ends[2];

    attack_tell(socketpair(AF_UNIX, SOCK_STREAM, 0, ends));
    attack_tell(send(ends[0], "x", 1, MSG_OOB));
    attack_tell(recv(ends[1], &byte, 1, MSG_OOB | MSG_DONTWAIT));
    attack_tell(recvmsg(ends[1], &message, MSG_OOB | MSG_DONTWAIT));
    attack_tell(send(ends[0], "x", 1, MSG_NOSIGNAL));
}

static void passes_descriptors(void)
{
    struct msghdr message = {0};
    int ends[2];

    attack_tell(socketpair(AF_UNIX, SOCK_STREAM, 0, ends));
    attack_tell(sendmsg(ends[0], &message, 0));
}

static void traces_itself(void)
{
    attack_tell(ptrace(PTRACE_TRACEME, 0, NULL, NULL));
}

static void traces_process_1(void)
{
    attack_tell(ptrace(PTRACE_ATTACH, 1, NULL, NULL));
}

static void reads_others_memory(void)
{
    char byte;
    struct iovec here = {&byte, 1}, there = {&byte, 1};

    attack_tell(process_vm_readv(1, &here, 1, &there, 1, 0));
}

static void mounts(void)
{
    attack_tell(mount("none", "/bot", "tmpfs", 0, NULL));
}

static void own_filter(void)
{
    struct sock_filter allow = BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
    struct sock_fprog program = {1, &allow};

    attack_tell(
        syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_NEW_LISTENER, &program));
    attack_tell(prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program, 0, 0));
}

static void own_landlock(void)
{
    attack_tell(syscall(SYS_landlock_create_ruleset, NULL, 0, 1));
}

static void rings(void)
{
    char parameters[256] = {0};

    attack_tell(syscall(SYS_io_uring_setup, 8, parameters));
}

static void opens_past_the_rules(void)
{
    unsigned long long how[3] = {O_RDWR, 0, 0};

    attack_tell(syscall(SYS_openat2, AT_FDCWD, "attack.txt", how, sizeof how));
    attack_tell(syscall(SYS_pidfd_open, 1, 0));
    attack_tell(syscall(SYS_splice, 0, NULL, 1, NULL, 1, 0));
}

static void types_for_others(void)
{
    attack_tell(ioctl(0, TIOCSTI, "x"));
    attack_tell(ioctl(0, TIOCLINUX, "x"));
    attack_tell(syscall(SYS_ioctl, 0, 0x100005412ul, "x"));
    attack_tell(ioctl(0, TIOCSCTTY, 0));
}

static void personality_changes(void)
{
    attack_tell(personality(ADDR_NO_RANDOMIZE));
}

static void shares_by_key(void)
{
    attack_tell(msgget(0x70617669, IPC_CREAT | 0666));
    attack_tell(semget(0x70617669, 1, IPC_CREAT | 0666));
    attack_tell(mq_open("/meet", O_RDWR | O_CREAT, 0666, NULL));
}

/* Makes a 32-bit system call, to bypass a filter that knows only 64-bit numbers. */
static void calls_by_int80(void)
{
#if defined(__x86_64__)
    long result;

    __asm__ volatile("int $0x80" : "=a"(result) : "a"(20L /* getpid */) : "memory");
    errno = result < 0 ? (int)-result : 0;
    attack_tell(result);
#else
    syscall(SYS_mount, 0, 0, 0, 0, 0);
#endif
}

static void calls_by_x32(void)
{
#if defined(__x86_64__)
    attack_tell(syscall(0x40000000L + SYS_getpid));
#else
    syscall(SYS_mount, 0, 0, 0, 0, 0);
#endif
}

static void unknown_call(void)
{
    attack_tell(syscall(1000));
}

const struct attack attacks_on_kernel[] = {
    {"sockets", sockets},
    {"datagram-pair", datagram_pair},
    {"addressed-send", addressed_send},
    {"urgent-bytes", urgent_bytes},
    {"pass-descriptors", passes_descriptors},
    {"trace-me", traces_itself},
    {"trace-1", traces_process_1},
    {"read-memory", reads_others_memory},
    {"mount", mounts},
    {"own-filter", own_filter},
    {"own-landlock", own_landlock},
    {"io-uring", rings},
    {"openat2", opens_past_the_rules},
    {"tiocsti", types_for_others},
    {"personality", personality_changes},
    {"shared-keys", shares_by_key},
    {"int80", calls_by_int80},
    {"x32", calls_by_x32},
    {"unknown-call", unknown_call},
    {NULL, NULL},
};
