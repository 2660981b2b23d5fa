#define _GNU_SOURCE
#include "CPlatform.h"
#include <fcntl.h>
#include <sys/eventfd.h>
#include <sys/file.h>
#include <string.h>
#include <unistd.h>

int cplatform_eventfd(void) { return eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC); }

int cplatform_try_lock(int descriptor) { return flock(descriptor, LOCK_EX | LOCK_NB); }

int cplatform_open(const char *path, int flags, unsigned int mode) { return open(path, flags, mode); }

const char *cplatform_describe(int error) {
    const char *text = strerrordesc_np(error);
    return text ? text : "unknown error";
}
