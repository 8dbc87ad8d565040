/** A fault of a counterpart, instead of the regular response. */
export type Fault =
  | { kind: 'answer'; status: number; body?: unknown; headers?: Record<string, string> }
  /** Does what was asked, and answers that it failed. */
  | { kind: 'fail_after'; status: number; body?: unknown; headers?: Record<string, string> }
  /** Does what was asked, and cuts the connection before the answer. */
  | { kind: 'lose' }
  /** Does what was asked, and says nothing until the client goes. */
  | { kind: 'mute' }
  /** Does what was asked, and answers with this text in place of the regular body and headers. */
  | { kind: 'garble'; text: string }
  /** Answers as it should, after so many milliseconds. */
  | { kind: 'slow'; ms: number }
  /** Neither does nor says anything, until the client goes. */
  | { kind: 'hang' }

/** Upcoming faults by kind of request. */
export class Faults {
  readonly #waiting = new Map<string, Fault[]>()
  readonly #requests = new Map<string, number>()

  /** Applies to the next `times` requests of this kind. */
  next(what: string, fault: Fault, times = 1): void {
    const waiting = this.#waiting.get(what) ?? []
    this.#waiting.set(what, [...waiting, ...Array.from({ length: times }, () => fault)])
  }

  /** Number of requests of this kind, whatever the response was. */
  requested(what: string): number {
    return this.#requests.get(what) ?? 0
  }

  /** Responds regularly or with the next fault. */
  async around(what: string, request: Request, answer: () => Promise<Response> | Response): Promise<Response> {
    this.#requests.set(what, this.requested(what) + 1)
    const fault = this.#waiting.get(what)?.shift()
    if (!fault) return answer()
    if (fault.kind === 'answer') return Response.json(fault.body ?? {}, fault)
    if (fault.kind === 'fail_after') {
      await answer()
      return Response.json(fault.body ?? {}, fault)
    }
    if (fault.kind === 'slow') {
      await Bun.sleep(fault.ms)
      return answer()
    }
    if (fault.kind === 'garble') {
      const { status, headers } = await answer()
      return new Response(fault.text, { status, headers: { 'content-type': headers.get('content-type') ?? '' } })
    }
    if (fault.kind !== 'hang') await answer()
    if (fault.kind !== 'lose') await gone(request)
    return new Response(new ReadableStream({ pull: (controller) => controller.error() }))
  }
}

/** When the client has disconnected, or a minute later. */
function gone({ signal }: Request): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  const timer = setTimeout(resolve, 60_000)
  signal.addEventListener('abort', () => {
    clearTimeout(timer)
    resolve()
  })
  return promise
}
