/** Milliseconds of each step of a call, as `Server-Timing` reports them. */
export class Timings {
  readonly #steps: string[] = []
  #since: number

  constructor(startedAt: number) {
    this.#since = startedAt
  }

  /** Ends the running step. */
  end(name: string): void {
    const at = performance.now()
    this.#steps.push(`${name};dur=${Math.round((at - this.#since) * 10) / 10}`)
    this.#since = at
  }

  toString(): string {
    return this.#steps.join(', ')
  }
}
