import type { CallableAction } from '../actions.ts'
import type { Actor } from '../actor.ts'
import type { Call, Provided, RequestFacts } from '../call.ts'
import type { Context } from '../context.ts'
import type { DatabaseHandle } from '../db.ts'
import type { ProblemDocument } from '../errors.ts'
import type { Limits } from '../limits.ts'
import type { Log } from '../log.ts'
import type { RequestSample } from '../metrics/own.ts'
import type { Frame, Page } from '../page.ts'
import type { PageOf } from '../paginate.ts'
import type { RequestContext } from '../request/context.ts'
import type { Clock } from '../time.ts'
import type { Hosts, PathRules } from './routes.ts'
import type { StreamEnd } from '../reply.ts'
import type { Upgrade } from '../request/upgrade.ts'

/** A bearer token takes precedence over the session cookie. */
export interface Credential {
  authorization?: string
  cookie?: string
  /** The slug of the called service; tokens for another service are refused. Defaults to identity. */
  audience?: string
  /** The slug of the called service, where tokens for one app are accepted. */
  app?: string
  permission?: string
  /** A service token is accepted only once. Works only in identity's own process. */
  once?: boolean
  /** Doesn't extend the session or mark a key as used. Works only in identity's own process. */
  passive?: boolean
  /** A token that expired since then is still valid, for a running request. Works only in identity's own process. */
  since?: Date
}

export interface McpOptions {
  context: Context
  /** One page by name, or the action with a name. @throws {Problem} 401 and 503 */
  actions(credential: Credential, filter: { cursor?: string; name?: string }): Promise<PageOf<CallableAction>>
  metadataUrl(facts: RequestFacts): string
  version: string
  instructions: string
}

export type SystemRoute = (
  request: Request,
  facts: RequestFacts,
) => Promise<Response | undefined> | Response | undefined

/** The content of a page, and what its frame depends on. */
interface FramedPage extends Pick<Page, 'screen' | 'header' | 'description'> {
  frame: Frame
  context: Context
  title: string
  content: JSX.Element
}

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
  trustedProxies: number
  /** Throws 401 for a refused credential and 503 while identity is unavailable. */
  authenticate(credential: Credential): Promise<Actor>
  serviceId(slug: string): Promise<string>
  frame(page: FramedPage, call: Call): Promise<JSX.Element>
  /** The problem of a fragment. */
  problem(problem: ProblemDocument): JSX.Element
  /** `call.actor` is null for visitors, and where the frame could be what failed. */
  problemPage(problem: ProblemDocument, call: Call, signedIn: boolean): Promise<JSX.Element>
  systemRoutes: ReadonlyMap<string, SystemRoute>
  mcp?: McpOptions
  measure?(measured: RequestSample, context: RequestContext): void
  measureStream?(ended: { route: string; outcome: StreamEnd['outcome'] }): void
}

/**
 * `address` is the peer's; null for calls within this process. `upgrade` makes the request a WebSocket, and `keepOpen`
 * lets its connection be silent for longer than a minute.
 */
export type Handler = (
  request: Request,
  address?: string | null,
  upgrade?: Upgrade,
  keepOpen?: () => void,
) => Promise<Response>
