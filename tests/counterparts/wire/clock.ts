/** The provider's clock, which tests move forward. */
export class Clock {
  #ahead = 0

  now(): number {
    return Date.now() + this.#ahead
  }

  advance(ms: number): void {
    this.#ahead += ms
  }
}
