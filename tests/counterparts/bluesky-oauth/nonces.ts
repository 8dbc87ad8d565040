import { secret } from '../wire/grants.ts'

/** The nonces of one server for DPoP proofs. The one before the last rotation is still accepted. */
export class Nonces {
  #valid: string[] = [secret(12)]
  readonly #used = new Set<string>()

  get current(): string {
    return this.#valid[0] ?? ''
  }

  accepts(nonce: unknown): boolean {
    return typeof nonce === 'string' && this.#valid.includes(nonce)
  }

  /** `forgets`: the former one is refused at once. */
  rotate(forgets = false): void {
    this.#valid = [secret(12), ...(forgets ? [] : this.#valid.slice(0, 1))]
  }

  /** False when a proof with this ID was sent before. */
  use(jti: string): boolean {
    if (this.#used.has(jti)) return false
    this.#used.add(jti)
    return true
  }
}
