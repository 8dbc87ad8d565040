import type { CallableAction } from '../actions.ts'
import type { Actor } from '../actor.ts'
import type { Call, Provided, RequestFacts } from '../call.ts'
import type { Context } from '../context.ts'
import type { DatabaseHandle } from '../db.ts'
import type { ProblemDocument } from '../errors.ts'
import type { Limits } from '../limits.ts'
import type { Log } from '../log.ts'
import type { RequestSample } from '../metrics/own.ts'
import type { Frame } from '../page.ts'
import type { PageOf } from '../paginate.ts'
import type { Clock } from '../time.ts'
import type { Hosts } from './hosts.ts'
import type { PathRules } from './routes.ts'
import type { StreamEnd } from '../reply.ts'
import type { Upgrade } from '../upgrade.ts'

/** How the credential of a request reaches identity: an explicit bearer before the session cookie. */
export interface Credential {
  authorization?: string
  cookie?: string
  /** The slug of the service that a service's token must be for; identity's when not set. */
  audience?: string
  /** What it is used for: `<serviceId>.<permission>`. */
  permission?: string
  /** Invalidates a service's token: each is valid for one signed request. */
  once?: boolean
  /** Not a use by the caller: doesn't extend a session or mark a key as used. Only in identity's own process. */
  passive?: boolean
  /** The start of a request that is still running: tokens that expired since are valid for it. Only in identity's own process. */
  since?: Date
}

/** Options of `/mcp`. */
export interface McpOptions {
  /** The context that it belongs to. */
  context: Context
  /** One page of the actions that a credential can call, by name, or the action with a name. @throws {Problem} 401 and 503 */
  actions(credential: Credential, filter: { cursor?: string; name?: string }): Promise<PageOf<CallableAction>>
  /** The URL of the protected resource metadata (RFC 9728). */
  metadataUrl(facts: RequestFacts): string
  version: string
  instructions: string
}

/** The dependencies of the HTTP layer, passed by `app.ts`. */
export interface HttpDependencies {
  contexts: readonly Context[]
  database: DatabaseHandle
  provided: Provided
  now: Clock
  log: Log
  https: boolean
  allowedOrigins: readonly string[]
  hosts: Hosts
  paths: PathRules
  limits: Limits
  /** Number of our own proxies in front of this server. */
  trustedProxies: number
  /** Throws 401 for a refused credential and 503 while identity is unavailable. */
  authenticate(credential: Credential): Promise<Actor>
  /** A service's id in this environment. */
  serviceId(slug: string): Promise<string>
  frame(frame: Frame, parts: { title: string; content: JSX.Element; screen?: string }, call: Call): Promise<JSX.Element>
  problem(
    problem: ProblemDocument,
    whole: boolean,
    signedIn: boolean,
    request: RequestFacts,
  ): JSX.Element | Promise<JSX.Element>
  /** Serves assets, health and metrics. Undefined for any other request. */
  systemRoutes(request: Request, facts: RequestFacts): Promise<Response | undefined> | Response | undefined
  /** The Model Context Protocol; without it there is no `/mcp`. */
  mcp?: McpOptions
  /** Called for each request from outside. */
  measure?(measured: RequestSample): void
  /** Called when a streamed response ends. */
  measureStream?(ended: { route: string; outcome: StreamEnd['outcome'] }): void
}

/** `address` is the peer's; null for calls within this process. `upgrade` makes the request a WebSocket. */
export type Handler = (request: Request, address?: string | null, upgrade?: Upgrade) => Promise<Response>
