import { Faults, type Fault } from '../faults.ts'
import { Call, Invalid, Refusal } from './call.ts'
import { Clock } from './clock.ts'

/** Faults that every network answers in its own words. */
export const answeredFaults = [
  'unauthorized',
  'forbidden',
  'rate_limited',
  'server_error',
  'expired_token',
  'revoked_token',
  'media_refused',
] as const
export type AnsweredFault = (typeof answeredFaults)[number]
/** Faults of the connection or the response, alike for every network. */
export type WireFault = 'no_answer_before' | 'no_answer_after' | 'connection_lost' | 'malformed'
/** `server_error_after`: the request is done, and answered with `server_error`. */
export type NamedFault = AnsweredFault | WireFault | 'server_error_after'

export interface Shape {
  status: number
  body: unknown
  headers?: Record<string, string>
}

type Answer = Response | Promise<Response>
export type Handler = (call: Call) => Answer

interface Options<Host extends string, Route extends `${Host} ${string}`> {
  /** Hosts of the provider, each with a port of its own: what is sent to the wrong one is refused. */
  hosts: readonly Host[]
  /** By `host METHOD /path/:param`. */
  routes: Record<Route, Handler>
  /** The provider's response to a fault of this kind, at a route. */
  shapes: Record<AnsweredFault, (route: Route) => Shape>
  /** The response to a path that no route has. */
  notFound: () => Response
  /** The response to a request that breaks the documented format. */
  invalid: (fault: Invalid, call: Call) => Response
  /** Takes the version off a path before a route is looked for. */
  unversioned?: (path: string) => string
  /** Adds the headers of every response, those of refusals and faults included. */
  headers?: (call: Call) => Record<string, string>
}

/** The servers of one provider on loopback. */
export interface Wire<Host extends string, Route extends string> {
  /** Origins by host. */
  urls: Record<Host, string>
  clock: Clock
  faults: Faults
  /** Everything that arrived, oldest first. */
  calls: Call[]
  /** The requests of a route, oldest first. */
  callsOf(route: Route): Call[]
  /** Calls this with every request from now on, before it is answered. */
  watch(listener: (call: Call) => Promise<void>): void
  /** Makes the next requests of a route fail. */
  fail(route: Route, fault: NamedFault, times?: number): void
  stop(): Promise<void>
}

const wireFaults: Record<WireFault, Fault> = {
  no_answer_before: { kind: 'hang' },
  no_answer_after: { kind: 'mute' },
  connection_lost: { kind: 'lose' },
  malformed: { kind: 'garble', text: '{"data":' },
}

/** Has these responses to faults at the routes that a test matches, such as those for tokens, and others elsewhere. */
export function shapesAt(
  isAt: (route: string) => boolean,
  there: Partial<Record<AnsweredFault, Shape>>,
  elsewhere: Record<AnsweredFault, () => Shape>,
): Record<AnsweredFault, (route: string) => Shape> {
  const shapeOf = (fault: AnsweredFault) => (route: string) =>
    (isAt(route) ? there[fault] : undefined) ?? elsewhere[fault]()
  return {
    unauthorized: shapeOf('unauthorized'),
    forbidden: shapeOf('forbidden'),
    rate_limited: shapeOf('rate_limited'),
    server_error: shapeOf('server_error'),
    expired_token: shapeOf('expired_token'),
    revoked_token: shapeOf('revoked_token'),
    media_refused: shapeOf('media_refused'),
  }
}

const isWireFault = (fault: AnsweredFault | WireFault): fault is WireFault => fault in wireFaults

/** What a counterpart does in a fault, where the provider's own response is needed with that. */
export function faultOf(fault: NamedFault, shapeOf: (fault: AnsweredFault) => Shape): Fault {
  if (fault === 'server_error_after') return { kind: 'fail_after', ...shapeOf('server_error') }
  return isWireFault(fault) ? wireFaults[fault] : { kind: 'answer', ...shapeOf(fault) }
}

/** Starts each host on a free port. */
export function startWire<Host extends string, Route extends `${Host} ${string}`>(
  options: Options<Host, Route>,
): Wire<Host, Route> {
  const { hosts, routes, shapes, notFound, invalid, unversioned = (path) => path } = options
  const clock = new Clock()
  const faults = new Faults()
  const calls: Call[] = []
  const byRoute = new Map<Route, Call[]>()
  const listeners: ((call: Call) => Promise<void>)[] = []
  const patterns = (Object.keys(routes) as Route[]).map((route) => ({
    route,
    pattern: new RegExp(`^${route.replaceAll('.', String.raw`\.`).replaceAll(/:(\w+)/g, '(?<$1>[^/]+)')}$`),
  }))

  const respond = async (request: Request, host: Host): Promise<Response> => {
    const call = new Call(request, host, await request.bytes(), clock.now())
    calls.push(call)
    for (const listener of listeners) await listener(call)
    const requested = `${host} ${call.method} ${unversioned(call.path)}`
    const found = patterns.find(({ pattern }) => pattern.test(requested))
    if (!found) return notFound()
    call.route = found.route
    call.params = Object.fromEntries(
      Object.entries(found.pattern.exec(requested)?.groups ?? {}).map(([name, value]) => [
        name,
        decodeURIComponent(value),
      ]),
    )
    byRoute.set(found.route, [...(byRoute.get(found.route) ?? []), call])
    return faults.around(found.route, request, () => handle(call, routes[found.route]))
  }

  const handle = async (call: Call, handler: Handler): Promise<Response> => {
    const response = await Promise.resolve()
      .then(() => handler(call))
      .catch((error: unknown) => {
        if (error instanceof Refusal) return error.response
        if (error instanceof Invalid) return invalid(error, call)
        throw error
      })
    for (const [name, value] of Object.entries(options.headers?.(call) ?? {})) response.headers.set(name, value)
    call.status = response.status
    return response
  }

  const servers = hosts.map((host) =>
    Bun.serve({ hostname: '127.0.0.1', port: 0, idleTimeout: 90, fetch: (request) => respond(request, host) }),
  )
  return {
    urls: Object.fromEntries(hosts.map((host, at) => [host, servers[at]?.url.origin ?? ''])) as Record<Host, string>,
    clock,
    faults,
    calls,
    callsOf: (route) => byRoute.get(route) ?? [],
    watch: (listener) => listeners.push(listener),
    fail: (route, fault, times = 1) =>
      faults.next(
        route,
        faultOf(fault, (answered) => shapes[answered](route)),
        times,
      ),
    stop: async () => {
      await Promise.all(servers.map((server) => server.stop(true)))
    },
  }
}
