export interface RequestFacts {
  readonly id: string
  /** The original method, so it can be HEAD. */
  readonly method: string
  readonly url: URL
  readonly headers: Headers
  readonly cookies: ReadonlyMap<string, string>
  /** The client's IP address; null for calls within this process. */
  readonly address: string | null
  /** `Accept` prefers HTML, or htmx asks: responses are HTML and secrets stay in cookies. */
  readonly html: boolean
}
