import { z } from 'zod'
import type { Publisher } from './publisher.ts'

/** Programs that create posts and publish them at once, and retry until they get a response. */
export interface Traffic {
  /** Number of acknowledged posts so far. */
  acknowledged(): number
  /** Milliseconds of the slowest request until its response or its timeout. */
  slowestMs(): number
  /** Stops; returns the texts of the posts whose creation and publication were both acknowledged. */
  stop(): Promise<string[]>
}

interface Caller {
  url: string
  /** An API key, which stays valid during outages. */
  key: string
  brandId: string
  connectionIds: readonly string[]
}

/** Milliseconds until a caller gives up a response, and between two posts of one caller. */
const [giveUpMs, pauseMs] = [40_000, 60]

/** An API key of a publisher with all scopes that posts need. */
export async function keyOf(publisher: Publisher): Promise<string> {
  const draft = { name: 'Traffic', service: 'platform-socialize', scopes: ['posts.read', 'posts.write'] }
  return (await publisher.call<{ key: string }>('POST', '/api/api-keys', draft, 201)).key
}

/** Starts one program for each caller. */
export function startTraffic(callers: readonly Caller[]): Traffic {
  const stopping = new AbortController()
  const done: string[] = []
  let slowestMs = 0

  const send = async ({ url, key }: Caller, method: string, path: string, headers = {}, body?: object) => {
    const start = performance.now()
    const response = await fetch(`${url}${path}`, {
      method,
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', ...headers },
      ...(body && { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(giveUpMs),
    }).finally(() => void (slowestMs = Math.max(slowestMs, performance.now() - start)))
    return { status: response.status, answer: (await response.json()) as unknown }
  }
  /** Repeats a request until one of these statuses; null when the traffic ends before. */
  const insist = async (statuses: number[], request: () => ReturnType<typeof send>) => {
    while (!stopping.signal.aborted) {
      const found = await request().catch(() => null)
      if (found && statuses.includes(found.status)) return found.answer
      if (found && found.status < 500 && found.status !== 409)
        throw new Error(`Refused with ${found.status}: ${JSON.stringify(found.answer)}`)
      await Bun.sleep(150)
    }
    return null
  }
  const work = async (caller: Caller, who: number) => {
    for (let nth = 0; !stopping.signal.aborted; nth++) {
      const text = `Post ${nth} of caller ${who}`
      const connectionId = caller.connectionIds[nth % caller.connectionIds.length]
      const body = { brandId: caller.brandId, provider: 'sandbox', text, target: { connectionId } }
      const idempotency = { 'idempotency-key': `${who}-${nth}` }
      const made = await insist([201], () => send(caller, 'POST', '/api/posts', idempotency, body))
      if (made === null) return
      const { id } = z.object({ id: z.string() }).parse(made)
      // The lost response can have been a success: then the post is no longer a draft.
      const published = await insist([200, 409], () => send(caller, 'POST', `/api/posts/${id}/publish-now`))
      if (published === null) return
      done.push(text)
      await send(caller, 'GET', `/api/posts/${id}`).catch(() => null)
      await Bun.sleep(pauseMs)
    }
  }
  const working = Promise.all(callers.map(work))
  working.catch(() => {})
  return {
    acknowledged: () => done.length,
    slowestMs: () => slowestMs,
    stop: async () => {
      stopping.abort()
      await working
      return done
    },
  }
}
