import { accessSync, constants, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'

/** Bytes that a whole run needs at a time, doubled. */
const needed = 6 * 1024 ** 3

/**
 * The folder for databases and other files of test runs: in memory where the machine has room. Tests create and drop
 * hundreds of databases of a thousand files each, which costs a tenth of the processor time on disk.
 */
export function scratchFolder(): string {
  const memory = '/dev/shm'
  try {
    accessSync(memory, constants.W_OK)
    const { bavail, bsize } = statfsSync(memory)
    return bavail * bsize > needed ? memory : tmpdir()
  } catch {
    return tmpdir()
  }
}
