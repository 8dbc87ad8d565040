import type { PgColumn } from 'drizzle-orm/pg-core'
import type { Actor } from './actor.ts'
import type { Call, Provided } from './call.ts'
import type { DatabaseHandle } from './db.ts'
import type { Job, TypedJob } from './job.ts'
import type { Metrics } from './metrics.ts'
import type { Operation } from './operation.ts'
import type { WebhookEvent } from './outgoing-webhooks/event.ts'
import type { Page } from './page.ts'
import type { TakeAction } from './raised-actions/hand-over.ts'
import type { Socket } from './socket.ts'
import type { SearchSource } from './search.ts'
import type { TenantData } from './tenant-data.ts'
import type { Topic } from './topic.ts'
import type { Webhook } from './webhook.ts'

/** A job that the clock enqueues. */
export interface Schedule {
  /** When, in UTC: seconds, minutes, hours, days, months, weekdays. */
  readonly cron: string
  readonly job: TypedJob<object>
}

/** What work beside requests is given to start with. */
export interface StartParts extends Provided {
  readonly database: DatabaseHandle
  readonly metrics: Metrics
  /** This server's own address. */
  readonly baseUrl: () => string
}

/** Work beside requests, until it is stopped. */
export interface Running {
  /** Begins nothing more, and gives work in hand `graceMs` to end. */
  stop(graceMs: number): Promise<void>
}

/** What the frame around pages shows of a context; the frame names its fields. */
// oxlint-disable-next-line typescript/no-empty-object-type
export interface ShellPart {}

/** One bounded context: everything that it declares, and nothing else. */
export interface Context {
  /** Its service's slug in the registry, such as `platform-socialize`. */
  slug: string
  /** It answers on the hosts of all services, such as what signs people in. */
  everywhere?: true
  operations: Record<string, Operation>
  pages: readonly Page[]
  webhooks: readonly Webhook[]
  sockets?: readonly Socket[]
  /** What open pages hear of at `/api/live` when it changes. */
  topics?: readonly Topic[]
  jobs: readonly Job[]
  /** Jobs of its own that the clock enqueues: of all servers one does, for each planned time. */
  schedules?: readonly Schedule[]
  /** Starts work that is no job, once the server listens. */
  start?(parts: StartParts): Promise<Running>
  /** What the frame shows of it, where it is open. */
  shell?(call: Call, actor: Actor): Promise<ShellPart>
  /** What the command palette finds of it beside its pages. */
  search?: SearchSource
  /** Events that organizations can have sent to addresses of theirs. */
  events?: readonly WebhookEvent[]
  /** Erases what it keeps of deleted organizations and accounts; in `schedules` too. Not listed in `jobs`. */
  erases?: TypedJob<object>
  /** Keeps the actions that a person has to take: the dashboard's. */
  takeAction?: TakeAction
  /** How each table of tenants takes part in export, erasure, retention and backup (PLT-39). */
  data?: readonly TenantData[]
  /** The module of its schemas: each has its export's name in the API's description. */
  contract?: Record<string, unknown>
  /** Columns of sealed texts, for a rotation of SECRETS_KEY; their tables have an `id`. */
  sealed?: readonly PgColumn[]
}
