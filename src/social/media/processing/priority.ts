import { setPriority } from 'node:os'

const niceness = 10

/** The server has priority when a program that reads files needs the same core. */
export function lowerPriority(pid: number): void {
  try {
    setPriority(pid, niceness)
  } catch {
    // It has already ended.
  }
}
