#define _GNU_SOURCE
#include "CPlatform.h"
#include <fcntl.h>
#include <linux/magic.h>
#include <malloc.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/file.h>
#include <sys/vfs.h>
#include <unistd.h>

int cplatform_eventfd(void) { return eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC); }

int cplatform_try_lock(int descriptor) { return flock(descriptor, LOCK_EX | LOCK_NB); }

const int cplatform_unnamed_file = O_TMPFILE;

int cplatform_open(const char *path, int flags, unsigned int mode) { return open(path, flags, mode); }

const char *cplatform_describe(int error) {
    const char *text = strerrordesc_np(error);
    return text ? text : "unknown error";
}

bool cplatform_is_silent_file_system(int descriptor) {
    struct statfs file_system;
    if (fstatfs(descriptor, &file_system) != 0) return false;
    switch ((unsigned long)file_system.f_type) {
    case NFS_SUPER_MAGIC:
    case SMB_SUPER_MAGIC:
    case CIFS_SUPER_MAGIC:
    case SMB2_SUPER_MAGIC:
    case FUSE_SUPER_MAGIC:
    case V9FS_MAGIC:
    case CEPH_SUPER_MAGIC:
    case AFS_SUPER_MAGIC:
    case OCFS2_SUPER_MAGIC:
        return true;
    default:
        return false;
    }
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
