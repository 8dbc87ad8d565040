import { z } from 'zod'
import { StartupError } from './startup-error.ts'

export interface Client {
  /** @throws {StartupError} with the detail of a problem response */
  request<Output>(route: string, output: z.ZodType<Output>, body?: object): Promise<Output>
}

const Problem = z.object({ detail: z.string() })

export const createClient = (base: string, token?: string): Client => ({
  request: async (route, output, body) => {
    const [method = 'GET', path = ''] = route.split(' ')
    const isForm = body instanceof FormData || body instanceof URLSearchParams
    const json = body && !isForm
    const answer = await fetch(new URL(path, base), {
      method,
      headers: {
        ...(token && { authorization: `Bearer ${token}` }),
        ...(json && { 'content-type': 'application/json' }),
      },
      ...(body && { body: isForm ? body : JSON.stringify(body) }),
    })
    const text = await answer.text()
    if (!answer.ok) throw new SeedRefused(route, answer.status, text)
    // Forms can lead to pages.
    return output.parse(isForm ? parseJson(text) : text === '' ? null : JSON.parse(text))
  },
})

export class SeedRefused extends StartupError {
  readonly status: number

  constructor(route: string, status: number, text: string) {
    const problem = Problem.safeParse(parseJson(text)).data
    super(`The seed failed at ${route}: the server responded with ${status}${problem ? `, ${problem.detail}` : '.'}`)
    this.status = status
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

export const CreatedObject = z.object({ id: z.string() })
export const itemsOf = <Item>(item: z.ZodType<Item>) => z.object({ items: z.array(item) })
