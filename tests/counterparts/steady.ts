import { run } from '../boot/program.ts'

// A mock of another maker that checks requests against an OpenAPI description.

export interface SentRequest {
  method: string
  /** With the query. */
  target: string
  headers: Headers
  body: BodyInit | undefined
}

/** What the description says of a request. */
export interface Verdict {
  valid: boolean
  why: string
}

/** Starts it on a free port with `steady` of this folder; `killRest()` ends it. */
export async function startSteady(folder: string, spec: string) {
  const port = await findFreePort()
  const mock = run([`${folder}/node_modules/.bin/steady`, '--host', '127.0.0.1', '-p', String(port), '-q', spec])
  await mock.until(new RegExp(String(port)))
  return async ({ method, target, headers, body }: SentRequest): Promise<Verdict> => {
    const sent = new Headers(headers)
    for (const name of ['host', 'content-length', 'connection']) sent.delete(name)
    const response = await fetch(`http://127.0.0.1:${port}${target}`, { method, headers: sent, body })
    await response.body?.cancel()
    return {
      valid: response.headers.get('x-steady-request-valid') === 'true',
      why: [...response.headers]
        .filter(([name]) => name.startsWith('x-steady-error'))
        .map(([, value]) => value)
        .join(' '),
    }
  }
}

/** A port that was free a moment ago: the mock doesn't accept 0. */
async function findFreePort(): Promise<number> {
  const server = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: () => new Response() })
  const { port = 0 } = server
  await server.stop(true)
  return port
}
