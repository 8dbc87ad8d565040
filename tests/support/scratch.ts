import { accessSync, constants, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'

/** Bytes that a whole run can need at a time, with as much again to spare. */
const needed = 6 * 1024 ** 3

/**
 * Where test runs keep databases and other files: in memory where the machine has room for them. Tests create and drop
 * hundreds of databases of a thousand files each, which costs file systems on disks a tenth of the processor time.
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
