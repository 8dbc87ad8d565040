import { z } from 'zod'
import { Problem } from '#lib/errors.ts'
import { traceHeaders } from '#lib/telemetry.ts'
import type { ActionDefinition } from '../../registry/actions/contract.ts'

declare module '#lib/call.ts' {
  interface Provided {
    readonly actionSync: ActionSync
  }
}

/** @throws {Problem} 422 naming each undeclared permission, 503, and identity's other problems */
export type ActionSync = (serviceId: string, actions: ActionDefinition[]) => Promise<void>

interface Options {
  fetch: (request: Request) => Promise<Response>
  baseUrl: string
  serviceToken: (audience: string) => Promise<string>
}

const Refusal = z.object({
  detail: z.string(),
  code: z.string(),
  errors: z.array(z.object({ path: z.string(), message: z.string() })).optional(),
})

/** Also works with identity in another process. */
export function createActionSync({ fetch, baseUrl, serviceToken }: Options): ActionSync {
  return async (serviceId, actions) => {
    const authorization = `Bearer ${await serviceToken('platform-identity')}`
    const response = await fetch(
      new Request(new URL('/api/internal/service-actions/sync', baseUrl), {
        method: 'POST',
        headers: { authorization, 'content-type': 'application/json', ...traceHeaders() },
        body: JSON.stringify({ serviceId, actions }),
      }),
    )
    if (response.ok) return
    const { detail, code, errors } = Refusal.parse(await response.json())
    throw new Problem(response.status, code, detail, { errors })
  }
}
