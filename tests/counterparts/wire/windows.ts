import type { Clock } from './clock.ts'

export interface Window {
  limit: number
  remaining: number
  /** When it opens again, in milliseconds. */
  resetAt: number
}

/** Fixed rate windows by key. */
export class Windows {
  readonly #clock: Clock
  readonly #limit: number
  readonly #lengthMs: number
  readonly #found = new Map<string, Window>()

  constructor(clock: Clock, limit: number, lengthMs: number) {
    this.#clock = clock
    this.#limit = limit
    this.#lengthMs = lengthMs
  }

  of(key: string): Window {
    const found = this.#found.get(key)
    if (found && found.resetAt > this.#clock.now()) return found
    const opened = { limit: this.#limit, remaining: this.#limit, resetAt: this.#clock.now() + this.#lengthMs }
    this.#found.set(key, opened)
    return opened
  }

  /** Counts a request. Returns false when the window is used up. */
  take(key: string): boolean {
    const window = this.of(key)
    if (window.remaining === 0) return false
    window.remaining -= 1
    return true
  }

  /** Leaves this many requests in the current window. */
  leave(key: string, remaining: number): void {
    this.of(key).remaining = remaining
  }
}
