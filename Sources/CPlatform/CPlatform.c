#define _GNU_SOURCE
#include "CPlatform.h"
#include <fcntl.h>
#include <linux/magic.h>
#include <sys/eventfd.h>
#include <sys/file.h>
#include <sys/vfs.h>
#include <unistd.h>

int cplatform_eventfd(void) { return eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC); }

int cplatform_try_lock(int descriptor) { return flock(descriptor, LOCK_EX | LOCK_NB); }

int cplatform_open(const char *path, int flags, unsigned int mode) { return open(path, flags, mode); }

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
