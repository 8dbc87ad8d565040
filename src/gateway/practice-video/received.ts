interface Received {
  at: Date
  method: string
  path: string
  project: string | null
  account: string | null
  headers: { name: string; value: string }[]
  status: number | null
  reason: string | null
}

export interface ReceivedRequests {
  /** Who sent it, `status` and `reason` are added once they are known. */
  add(request: Request, at: Date): Received
  list(project?: string): Received[]
}

const most = 200
const maxLength = 500
const credentials = new Set(['authorization', 'cookie', 'proxy-authorization'])

export function createReceivedRequests(): ReceivedRequests {
  const kept: Received[] = []
  return {
    add: (request, at) => {
      const { pathname, search } = new URL(request.url)
      const received: Received = {
        at,
        method: request.method,
        path: `${pathname}${search}`.slice(0, maxLength),
        project: null,
        account: null,
        headers: [...request.headers]
          .filter(([name]) => !credentials.has(name))
          .map(([name, value]) => ({ name, value: value.slice(0, maxLength) })),
        status: null,
        reason: null,
      }
      kept.push(received)
      if (kept.length > most) kept.shift()
      return received
    },
    list: (project) => kept.filter((request) => project === undefined || request.project === project).reverse(),
  }
}
