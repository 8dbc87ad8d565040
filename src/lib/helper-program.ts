import { dlopen } from 'bun:ffi'
import { setPriority } from 'node:os'

const setParentDeathSignal = 1
const sigkill = 9

/** For programs that the server runs apart, before anything else. `niceness` is above 0: the server has priority. */
export function initializeHelper(niceness: number): void {
  endWithServer()
  // Ctrl-C in a terminal and a stop by systemd reach every process, but the server finishes running work first.
  process.on('SIGINT', () => {})
  process.on('SIGTERM', () => {})
  setPriority(niceness)
}

/**
 * Kills this process when the server dies, however that ends. Bun's `--no-orphans` does too, but lists `/proc/<pid>/task`
 * at exit: the kernel then keeps an entry for each thread, the server waits in `wait4` until this process has dropped
 * them, and with its low priority that took seconds in which the server answered no one.
 */
function endWithServer(): void {
  // Other systems have no such signal: there it ends by its own time limit.
  if (process.platform !== 'linux') return
  const { symbols } = dlopen('libc.so.6', { prctl: { args: ['i32', 'u64'], returns: 'i32' } })
  symbols.prctl(setParentDeathSignal, sigkill)
}
