/* A disk with one fault, for tests: what a program writes below one folder is counted and noted in
   a journal, and at a chosen step the disk is full, torn, broken, slow, or the power is gone.
   cc -shared -fPIC -o faults.so faults.c -ldl; LD_PRELOAD=./faults.so program */

#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { NONE, FULL, SHORT, IO, TORN, POWER, LATE };

#define MOST 4096
static char *names[MOST];
static char below[4096];
static int kind = NONE, journal = -1;
static long at = -1, length = 0, steps = 0;

#define REAL(name) ({ static __typeof__(&name) real; if (!real) real = dlsym(RTLD_NEXT, #name); real; })

void fault_begin(const char *folder, const char *notes, int what, long step, long steps_long) {
    journal = syscall(SYS_openat, AT_FDCWD, notes, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    snprintf(below, sizeof below, "%s/", folder);
    kind = what, at = step, length = steps_long, steps = 0;
}

long fault_steps(void) { return steps; }

/* Shared memory of SQLite is made anew whenever a file is opened. */
static int ours(const char *path) {
    size_t n = path ? strlen(path) : 0;
    if (!*below || !path) return 0;
    if (n >= 4 && !strcmp(path + n - 4, "-shm")) return 0;
    size_t m = strlen(below);
    return !strncmp(path, below, m) || (n == m - 1 && !strncmp(path, below, n));
}

static const char *name_of(int fd) { return fd >= 0 && fd < MOST ? names[fd] : NULL; }

static void note(char what, const char *path, int64_t offset, const void *data, uint32_t size) {
    uint32_t n = strlen(path);
    char head[17];
    head[0] = what;
    memcpy(head + 1, &n, 4), memcpy(head + 5, &offset, 8), memcpy(head + 13, &size, 4);
    if (syscall(SYS_write, journal, head, 17) < 0 || syscall(SYS_write, journal, path, n) < 0)
        _exit(99);
    if (size && syscall(SYS_write, journal, data, size) < 0) _exit(99);
}

/* One step: 0 to go on, -1 with errno to fail, 1 to do half of it. */
static int step(int writes) {
    long now = steps++;
    if (kind == NONE || now < at) return 0;
    if (kind == POWER && now == at) _exit(137);
    if (kind == IO && now == at) return errno = EIO, -1;
    if (kind == LATE && now < at + length) usleep(10000);
    if (kind == FULL && writes && now < at + length) return errno = ENOSPC, -1;
    if (kind == SHORT && writes && now == at) return 1;
    if (kind == SHORT && writes && now < at + length) return errno = ENOSPC, -1;
    if (kind == TORN && now == at) return 1;
    return 0;
}

static int opened(int fd, const char *path, int existed) {
    if (fd >= 0 && fd < MOST) {
        free(names[fd]);
        names[fd] = strdup(path);
        if (!existed) note('C', path, 0, NULL, 0);
    }
    return fd;
}

/* Making a file may fail like a write. */
static int made(void) {
    int bad = step(1);
    if (bad > 0 && kind == TORN) _exit(137);
    if (bad > 0) errno = ENOSPC;
    return bad;
}

#define OPEN(name, signature, call)                                                       \
    int name signature {                                                                  \
        mode_t mode = 0;                                                                  \
        if (flags & O_CREAT) {                                                            \
            va_list more;                                                                 \
            va_start(more, flags), mode = va_arg(more, mode_t), va_end(more);             \
        }                                                                                 \
        if (!ours(path)) return REAL(name) call;                                          \
        struct stat about;                                                                \
        int existed = !(flags & O_CREAT) || !stat(path, &about);                          \
        if (!existed && made()) return -1;                                                \
        if (existed && (flags & O_TRUNC)) note('T', path, 0, NULL, 0);                    \
        return opened(REAL(name) call, path, existed);                                    \
    }

OPEN(open, (const char *path, int flags, ...), (path, flags, mode))
OPEN(open64, (const char *path, int flags, ...), (path, flags, mode))
OPEN(openat, (int folder, const char *path, int flags, ...), (folder, path, flags, mode))
OPEN(openat64, (int folder, const char *path, int flags, ...), (folder, path, flags, mode))

int close(int fd) {
    if (name_of(fd)) free(names[fd]), names[fd] = NULL;
    return REAL(close)(fd);
}

static ssize_t written(int fd, const void *data, size_t size, off_t offset) {
    const char *path = name_of(fd);
    int half = step(1);
    if (half < 0) return -1;
    size_t part = half ? size / 2 : size;
    note('W', path, offset, data, part);
    ssize_t done = syscall(SYS_pwrite64, fd, data, part, offset);
    if (half && kind == TORN) _exit(137);
    return done;
}

ssize_t pwrite(int fd, const void *data, size_t size, off_t offset) {
    return name_of(fd) ? written(fd, data, size, offset) : REAL(pwrite)(fd, data, size, offset);
}

ssize_t pwrite64(int fd, const void *data, size_t size, off64_t offset) {
    return name_of(fd) ? written(fd, data, size, offset) : REAL(pwrite64)(fd, data, size, offset);
}

ssize_t write(int fd, const void *data, size_t size) {
    if (!name_of(fd)) return REAL(write)(fd, data, size);
    int append = fcntl(fd, F_GETFL) & O_APPEND;
    ssize_t done = written(fd, data, size, lseek(fd, 0, append ? SEEK_END : SEEK_CUR));
    if (done > 0) lseek(fd, done, SEEK_CUR);
    return done;
}

static int truncated(int fd, off_t size) {
    if (step(0)) return kind == TORN ? (_exit(137), -1) : -1;
    note('T', name_of(fd), size, NULL, 0);
    return syscall(SYS_ftruncate, fd, size);
}

int ftruncate(int fd, off_t size) {
    return name_of(fd) ? truncated(fd, size) : REAL(ftruncate)(fd, size);
}

int ftruncate64(int fd, off64_t size) {
    return name_of(fd) ? truncated(fd, size) : REAL(ftruncate64)(fd, size);
}

/* The kernel's own sync would take real time and promise nothing more to a simulated disk. */
static int synced(int fd) {
    if (step(0)) return kind == TORN ? (_exit(137), -1) : -1;
    note('S', name_of(fd), 0, NULL, 0);
    return 0;
}

int fsync(int fd) { return name_of(fd) ? synced(fd) : REAL(fsync)(fd); }
int fdatasync(int fd) { return name_of(fd) ? synced(fd) : REAL(fdatasync)(fd); }

int rename(const char *from, const char *to) {
    if (!ours(from)) return REAL(rename)(from, to);
    if (step(0)) return kind == TORN ? (_exit(137), -1) : -1;
    note('R', from, 0, to, strlen(to));
    return REAL(rename)(from, to);
}

int unlink(const char *path) {
    if (!ours(path)) return REAL(unlink)(path);
    if (step(0)) return kind == TORN ? (_exit(137), -1) : -1;
    int done = REAL(unlink)(path);
    if (!done) note('U', path, 0, NULL, 0);
    return done;
}

int mkdir(const char *path, mode_t mode) {
    int done = REAL(mkdir)(path, mode);
    if (!done && ours(path)) note('M', path, 0, NULL, 0);
    return done;
}
