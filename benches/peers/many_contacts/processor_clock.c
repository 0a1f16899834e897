/* Loaded before the C library, it has a program that asks what time it is told how long its thread has used a processor:
 * on a machine with other work the median of steps of milliseconds is that of the waiting otherwise. */
#define _GNU_SOURCE
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

int clock_gettime(clockid_t clock, struct timespec *time)
{
    return syscall(SYS_clock_gettime, clock == CLOCK_MONOTONIC ? CLOCK_THREAD_CPUTIME_ID : clock, time);
}
