/** A request as its handlers see it. */
export interface RequestFacts {
  readonly id: string
  /** As it was asked: HEAD too, which is answered like GET. */
  readonly method: string
  readonly url: URL
  readonly headers: Headers
  readonly cookies: ReadonlyMap<string, string>
  /** The client's address, behind proxies of ours too; null when this very process asks. */
  readonly address: string | null
  /** `Accept` prefers HTML, or htmx asks: responses are HTML and secrets stay in cookies. */
  readonly html: boolean
}
