// System calls and macros that Swift's Glibc module does not offer.
#pragma once
#include <stdbool.h>
#include <sys/types.h>

/// Makes an eventfd, non-blocking and closed on exec; -1 on failure.
int cplatform_eventfd(void);

/// Changes whether an advisory lock on the whole file is held, without waiting; -1 if somebody else holds it.
int cplatform_try_lock(int descriptor);

/// Takes room on the disk for the first bytes of a file, which stays as long as it is.
int cplatform_allocate(int descriptor, off_t bytes);

/// What has `lseek` look for the next bytes that are not a hole.
extern const int cplatform_seek_data;

/// The flags that have `open` make a file without a name in a directory.
extern const int cplatform_unnamed_file;

/// `open` with a mode, which Swift sees as variadic.
int cplatform_open(const char *path, int flags, unsigned int mode);

/// The C library's text for an error number; static memory.
const char *cplatform_describe(int error);

/// The kind of file system that an open file lies on if inotify does not report its changes in full, which is so where
/// another host or a user-space driver makes them; static memory, null for all others.
const char *cplatform_silent_file_system(int descriptor);

/// Whether what is open was opened by the name at which it is mounted; never on Linux before 5.8, which does not tell.
bool cplatform_is_mount_point(int descriptor);

/// Opens a directory only to ask for what lies under its names, which takes no right to read it; -1 on failure.
int cplatform_open_directory(const char *path);

/// Whether an open directory lies on a file system that the kernel makes up, such as procfs or sysfs.
bool cplatform_is_kernel_interface(int descriptor);

/// The variables of the process, which must not be changed meanwhile; ends with a null pointer.
char **cplatform_environment(void);

/// Lets the C library's allocator make this many heaps at most.
void cplatform_limit_arenas(int count);

/// Makes a Unix socket at a path, with mode 0600, that others may connect to; -1 on failure.
int cplatform_listen(const char *path);

/// Connects to the Unix socket at a path, which like each read and write then takes `seconds` at most; -1 on failure.
int cplatform_connect(const char *path, int seconds);

/// Takes the next one who has connected, whose reads and writes then wait `seconds` at most; -1 if there is none.
int cplatform_accept(int listener, int seconds);

/// Starts a program, found as a shell finds it, in a process group of its own: with the variables of this process, nothing
/// to read, and a pipe for its standard output, whose other end `output` becomes. Its id; -1 on failure.
int cplatform_spawn(char *const arguments[], int *output);
