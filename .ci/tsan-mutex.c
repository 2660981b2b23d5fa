// Tells the thread sanitizer when Swift's Mutex changes hands.
//
// Where nobody waits, locking and unlocking are one atomic instruction each, compiled into the caller, and the sanitizer
// sees it. Where somebody waits, libswiftSynchronization does it, which is not instrumented: the sanitizer misses that
// one thread comes after the other, and takes for a race what the lock guards. The functions here stand in front of the
// library's and say so. They hide no race: what is not done under the same lock is reported as before.
//
// .ci/run links this into what it builds with --sanitize=thread.

#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdbool.h>
#include <stdint.h>

#define SWIFT __attribute__((swiftcall))
#define MUTEX __attribute__((swift_context)) void *mutex

#define LOCK "$s15Synchronization12_MutexHandleV9_lockSlowyys6UInt32VF"
#define TRY_LOCK "$s15Synchronization12_MutexHandleV12_tryLockSlowSbyF"
#define UNLOCK "$s15Synchronization12_MutexHandleV11_unlockSlowyyF"

void __tsan_acquire(void *address);
void __tsan_release(void *address);

SWIFT void lockSlow(uint32_t thread, MUTEX) __asm__(LOCK);
SWIFT bool tryLockSlow(MUTEX) __asm__(TRY_LOCK);
SWIFT void unlockSlow(MUTEX) __asm__(UNLOCK);

static SWIFT void (*lockOfLibrary)(uint32_t thread, MUTEX);
static SWIFT bool (*tryLockOfLibrary)(MUTEX);
static SWIFT void (*unlockOfLibrary)(MUTEX);

__attribute__((constructor)) static void findLibrary(void) {
    *(void **)&lockOfLibrary = dlsym(RTLD_NEXT, LOCK);
    *(void **)&tryLockOfLibrary = dlsym(RTLD_NEXT, TRY_LOCK);
    *(void **)&unlockOfLibrary = dlsym(RTLD_NEXT, UNLOCK);
}

SWIFT void lockSlow(uint32_t thread, MUTEX) {
    lockOfLibrary(thread, mutex);
    __tsan_acquire(mutex);
}

SWIFT bool tryLockSlow(MUTEX) {
    bool isLocked = tryLockOfLibrary(mutex);
    if (isLocked) __tsan_acquire(mutex);
    return isLocked;
}

SWIFT void unlockSlow(MUTEX) {
    __tsan_release(mutex);
    unlockOfLibrary(mutex);
}
