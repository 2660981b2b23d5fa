#define _GNU_SOURCE
#include "CPlatform.h"
#include <errno.h>
#include <fcntl.h>
#include <linux/magic.h>
#include <malloc.h>
#include <signal.h>
#include <spawn.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/file.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/un.h>
#include <sys/vfs.h>
#include <unistd.h>

int cplatform_eventfd(void) { return eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC); }

int cplatform_try_lock(int descriptor) { return flock(descriptor, LOCK_EX | LOCK_NB); }

int cplatform_allocate(int descriptor, off_t bytes) { return fallocate(descriptor, FALLOC_FL_KEEP_SIZE, 0, bytes); }

const int cplatform_seek_data = SEEK_DATA;

const int cplatform_unnamed_file = O_TMPFILE;

int cplatform_open(const char *path, int flags, unsigned int mode) { return open(path, flags, mode); }

const char *cplatform_describe(int error) {
    const char *text = strerrordesc_np(error);
    return text ? text : "unknown error";
}

const char *cplatform_silent_file_system(int descriptor) {
    struct statfs file_system;
    if (fstatfs(descriptor, &file_system) != 0) return 0;
    switch ((unsigned long)file_system.f_type) {
    case NFS_SUPER_MAGIC:
        return "NFS";
    case SMB_SUPER_MAGIC:
    case CIFS_SUPER_MAGIC:
    case SMB2_SUPER_MAGIC:
        return "SMB";
    case FUSE_SUPER_MAGIC:
        return "FUSE";
    case V9FS_MAGIC:
        return "9P";
    case CEPH_SUPER_MAGIC:
        return "Ceph";
    case AFS_SUPER_MAGIC:
        return "AFS";
    case OCFS2_SUPER_MAGIC:
        return "OCFS2";
    default:
        return 0;
    }
}

bool cplatform_is_mount_point(int descriptor) {
    struct statx status;
    if (statx(descriptor, "", AT_EMPTY_PATH, 0, &status) != 0) return false;
    return (status.stx_attributes & STATX_ATTR_MOUNT_ROOT) != 0;
}

int cplatform_open_directory(const char *path) { return open(path, O_PATH | O_DIRECTORY | O_CLOEXEC); }

bool cplatform_is_kernel_interface(int descriptor) {
    struct statfs file_system;
    if (fstatfs(descriptor, &file_system) != 0) return false;
    switch ((unsigned long)file_system.f_type) {
    case PROC_SUPER_MAGIC:
    case SYSFS_MAGIC:
    case CGROUP_SUPER_MAGIC:
    case CGROUP2_SUPER_MAGIC:
    case DEBUGFS_MAGIC:
    case TRACEFS_MAGIC:
        return true;
    default:
        return false;
    }
}

char **cplatform_environment(void) { return environ; }

void cplatform_limit_arenas(int count) { mallopt(M_ARENA_MAX, count); }

static bool address_of(const char *path, struct sockaddr_un *address) {
    memset(address, 0, sizeof *address);
    address->sun_family = AF_UNIX;
    if (strlen(path) >= sizeof address->sun_path) {
        errno = ENAMETOOLONG;
        return false;
    }
    strcpy(address->sun_path, path);
    return true;
}

static int failed(int descriptor) {
    int error = errno;
    close(descriptor);
    errno = error;
    return -1;
}

int cplatform_listen(const char *path) {
    struct sockaddr_un address;
    if (!address_of(path, &address)) return -1;
    int listener = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (listener < 0) return -1;
    // The mode of the descriptor becomes that of the name, so nobody else can connect in between.
    if (fchmod(listener, 0600) != 0) return failed(listener);
    if (bind(listener, (struct sockaddr *)&address, sizeof address) != 0) return failed(listener);
    if (chmod(path, 0600) != 0 || listen(listener, 8) != 0) return failed(listener);
    return listener;
}

static int limit_time(int connection, int seconds) {
    struct timeval limit = {.tv_sec = seconds};
    if (setsockopt(connection, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit) != 0) return failed(connection);
    if (setsockopt(connection, SOL_SOCKET, SO_SNDTIMEO, &limit, sizeof limit) != 0) return failed(connection);
    return connection;
}

int cplatform_connect(const char *path, int seconds) {
    struct sockaddr_un address;
    if (!address_of(path, &address)) return -1;
    int connection = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    // Who is not taken waits as long as who gets no answer: the queue of one that was stopped may be full.
    if (connection < 0 || limit_time(connection, seconds) < 0) return -1;
    if (connect(connection, (struct sockaddr *)&address, sizeof address) != 0) return failed(connection);
    return connection;
}

int cplatform_accept(int listener, int seconds) {
    int connection = accept4(listener, 0, 0, SOCK_CLOEXEC);
    return connection < 0 ? -1 : limit_time(connection, seconds);
}

int cplatform_spawn(char *const arguments[], int *output) {
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0) return -1;
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
    posix_spawnattr_t attributes;
    posix_spawnattr_init(&attributes);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK);
    sigset_t signals;
    sigfillset(&signals);
    posix_spawnattr_setsigdefault(&attributes, &signals);
    sigemptyset(&signals);
    posix_spawnattr_setsigmask(&attributes, &signals);
    pid_t child;
    int error = posix_spawnp(&child, arguments[0], &actions, &attributes, arguments, environ);
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&actions);
    close(ends[1]);
    if (error == 0) {
        *output = ends[0];
        return child;
    }
    errno = error;
    return failed(ends[0]);
}
