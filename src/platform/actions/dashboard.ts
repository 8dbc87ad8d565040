import type { Config } from '#config'
import type { Context } from '#lib/context.ts'
import type { ActionNotice, TakeAction } from '#lib/raised-actions/hand-over.ts'
import { requireNoTransaction } from '#lib/outside-calls.ts'

interface Dashboard {
  baseUrl: string
  /** `fresh` after one was refused. */
  serviceToken(audience: string, options?: { fresh?: boolean }): Promise<string>
}

const slug = 'platform-dashboard-api'
const timeoutMs = 10_000

/** The dashboard in this process, else the one at DASHBOARD_URL; null without either. */
export function takerOf(
  { DASHBOARD_URL: baseUrl }: Config,
  contexts: readonly Context[],
  serviceToken: Dashboard['serviceToken'] | undefined,
): TakeAction | null {
  const here = contexts.find(({ takeAction }) => takeAction)?.takeAction
  if (here) return here
  return baseUrl !== undefined && serviceToken ? takeByDashboard({ baseUrl, serviceToken }) : null
}

/** When it throws, the queue retries. */
const takeByDashboard = ({ baseUrl, serviceToken }: Dashboard): TakeAction => {
  const post = async (notice: ActionNotice, fresh: boolean) => {
    const token = await serviceToken(slug, { fresh })
    requireNoTransaction('The dashboard')
    const response = await fetch(new URL(`/api/internal/notifications/${notice.id}`, baseUrl), {
      method: 'PUT',
      headers: {
        authorization: `Bearer ${token}`,
        'content-type': 'application/json',
      },
      body: JSON.stringify(notice),
      redirect: 'error',
      signal: AbortSignal.timeout(timeoutMs),
    })
    void response.body?.cancel().catch(() => {}) // Otherwise the connection stays in use.
    return response
  }
  return async (_, notice) => {
    const first = await post(notice, false)
    const last = first.status === 401 ? await post(notice, true) : first
    if (!last.ok) throw new Error(`The dashboard at DASHBOARD_URL responded with ${last.status}`)
  }
}
