import { requireNoTransaction } from '#lib/outside-calls.ts'
import { traceHeaders } from '#lib/telemetry.ts'
import { sanitizeText, truncate } from '#lib/text.ts'

declare module '#lib/call.ts' {
  interface Provided {
    /** Null without a dashboard, in this process or at DASHBOARD_URL: changes of subscriptions wait. */
    readonly dashboard: DashboardClient | null
  }
}

export interface DashboardClient {
  /** Sends the change of a subscription. Doesn’t throw. */
  sendChange(change: { id: string; body: string }): Promise<SendOutcome>
}

export type SendOutcome = { status: number; problem: string | null } | { status: null; problem: string }

interface DashboardOptions {
  fetch: (request: Request) => Promise<Response>
  baseUrl: string
  /** `fresh` after one was refused. */
  serviceToken(audience: string, options?: { fresh?: boolean }): Promise<string>
}

const audience = 'platform-dashboard-website'
const path = '/api/internal/subscription-webhooks'
const timeoutMs = 10_000
const maxProblem = 500

export function createDashboardClient({ fetch, baseUrl, serviceToken }: DashboardOptions): DashboardClient {
  const post = async ({ id, body }: { id: string; body: string }, fresh: boolean) => {
    const token = await serviceToken(audience, { fresh })
    requireNoTransaction('The dashboard')
    const request = new Request(new URL(path, baseUrl), {
      method: 'POST',
      headers: {
        accept: 'application/json',
        authorization: `Bearer ${token}`,
        'content-type': 'application/json',
        'idempotency-key': id,
        ...traceHeaders(),
      },
      body,
      redirect: 'error',
      signal: AbortSignal.timeout(timeoutMs),
    })
    const response = await fetch(request)
    return { status: response.status, ok: response.ok, answer: await response.text() }
  }
  return {
    sendChange: async (change) => {
      try {
        const first = await post(change, false)
        const { status, ok, answer } = first.status === 401 ? await post(change, true) : first
        return { status, problem: ok ? null : truncate(sanitizeText(answer), maxProblem) }
      } catch (error) {
        return { status: null, problem: truncate(sanitizeText(String(error)), maxProblem) }
      }
    },
  }
}
