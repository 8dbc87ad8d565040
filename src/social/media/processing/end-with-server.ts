import { dlopen } from 'bun:ffi'

const setParentDeathSignal = 1
const sigkill = 9

/**
 * Kills this process when the server dies, however that ends. Bun's `--no-orphans` does too, but lists `/proc/<pid>/task`
 * at exit: the kernel then keeps an entry for each thread, the server waits in `wait4` until this process has dropped
 * them, and with its low priority that took seconds in which the server answered no one.
 */
export function endWithServer(): void {
  // Other systems have no such signal: there it ends by its own time limit.
  if (process.platform !== 'linux') return
  const { symbols } = dlopen('libc.so.6', { prctl: { args: ['i32', 'u64'], returns: 'i32' } })
  symbols.prctl(setParentDeathSignal, sigkill)
}
