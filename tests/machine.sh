#!/bin/busybox sh
# SPDX-License-Identifier: MIT
# The first process of the machine that `sh tests/portable.sh machine` starts. It says `== all holds` if the sandbox
# holds in a control group of version 2 that is delegated: to root, and to an ordinary user.
if [ "${1-}" != moved ]; then # a bot's root is pivoted to, which the first file system refuses
    /bin/busybox mkdir -p /new
    /bin/busybox mount -t tmpfs -o size=80%,mode=755 none /new
    for entry in /*; do
        [ "$entry" = /new ] || /bin/busybox cp -a "$entry" /new/
    done
    /bin/busybox mkdir -p /new/dev /new/proc /new/sys /new/tmp /new/applets /new/etc
    exec /bin/busybox switch_root /new /init moved
fi
/bin/busybox --install -s /applets
export PATH=/applets:/usr/bin:/bin
[ -e /bin/sh ] || ln -s busybox /bin/sh
mount -t proc proc /proc
mount -t sysfs sys /sys
mount -t devtmpfs dev /dev
exec >/dev/console 2>&1 </dev/null
mkdir -p /dev/shm
mount -t tmpfs -o mode=1777 shm /dev/shm
mount -t tmpfs -o mode=1777 tmp /tmp
mount -t cgroup2 cgroup /sys/fs/cgroup
echo "+memory +pids +cpu" >/sys/fs/cgroup/cgroup.subtree_control
printf '%s\n' root:x:0:0::/root:/bin/sh author:x:1000:1000::/tmp/1000:/bin/sh >/etc/passwd
ip link set lo up
dmesg -n 1 # the kernel tells of each process that it kills for its memory
read -r build </build
failed=0

# as UID COMMAND...: in a group of this user's
as() {
    uid=$1
    shift
    group=/sys/fs/cgroup/of-$uid
    mkdir -p "$group" "/tmp/$uid"
    chown "$uid:$uid" "$group" "$group/cgroup.procs" "$group/cgroup.subtree_control" "$group/cgroup.threads" "/tmp/$uid"
    (
        echo 0 >"$group/cgroup.procs"
        HOME=/tmp/$uid ARENA_HOME=/tmp/$uid/arena exec /usr/bin/setpriv --reuid "$uid" --regid "$uid" --clear-groups "$@"
    ) >/tmp/out 2>&1
    status=$?
    echo "== user $uid: $*: status $status"
    cat /tmp/out
}
expect() {
    [ $status = 0 ] || failed=1
}
told() { # told WORDS: which the output has
    grep -q "$1" /tmp/out || { echo "missing: $1" && failed=1; }
}

echo "== $(uname -srm)"
for uid in 0 1000; do
    as $uid "$build/bin/arena" doctor
    as $uid "$build/bin/arena" match --games=2 --freeze "$build/bots/random" "$build/bots/greedy"
    expect
    as $uid "$build/bin/arena" submit --check-games=1 "$build/bots/random"
    expect
    as $uid "$build/bin/arena" submit --check-games=1 "$build/bots/greedy"
    expect
    as $uid "$build/bin/arena" season new short --budget=4
    expect
    as $uid "$build/bin/arena" season run short
    expect
    for test in sandbox_steps sandbox_child sandbox; do
        as $uid "$build/bin/test_$test"
        expect
    done
done
[ $failed = 0 ] && echo "== all holds" || echo "== something does not hold"
poweroff -f
