import type { TokenUsage } from '../models/price.ts'
import type { Part } from '../providers/adapter.ts'

/** No encoding has longer tokens on average. */
const maxBytesPerToken = 16

/** Counts a stream. A provider’s usage counts the whole response, so a later one replaces it and is never added. */
export class Meter {
  readonly #maxOutput: number | null
  #usage: TokenUsage | null = null
  #bytes = 0
  #pieces = 0

  /** `maxOutput`: tokens that the hold pays for; null without a budget. */
  constructor(maxOutput: number | null) {
    this.#maxOutput = maxOutput
  }

  add({ usage, outputBytes }: Part<unknown>): void {
    if (usage) this.#usage = usage
    if (outputBytes > 0) this.#pieces += 1
    this.#bytes += outputBytes
  }

  /** The provider sends more than it was asked for: each piece has at least one token. */
  get isOver(): boolean {
    const max = this.#maxOutput
    return max !== null && (this.#pieces > max || this.#bytes > max * maxBytesPerToken)
  }

  total(): { usage: TokenUsage | null; outputBytes: number } {
    // A count from before the end would be too low.
    return { usage: this.isOver ? null : this.#usage, outputBytes: this.#bytes }
  }
}
