import type { PgColumn } from 'drizzle-orm/pg-core'
import type { Actor } from './actor.ts'
import type { Running, StartDependencies } from './background.ts'
import type { Call, Provided } from './call.ts'
import type { Endpoint } from './endpoint.ts'
import type { TakeEvent } from './event-subscriptions/hand-over.ts'
import type { Job, TypedJob } from './job.ts'
import type { NotificationKind } from './notification-kind.ts'
import type { OnboardingStep } from './onboarding-step.ts'
import type { Operation } from './operation.ts'
import type { WebhookEvent } from './outgoing-webhooks/event.ts'
import type { Page } from './page.ts'
import type { TakeAction } from './raised-actions/hand-over.ts'
import type { Client } from './seed-client.ts'
import type { Socket } from './socket.ts'
import type { SearchSource } from './search.ts'
import type { TenantData } from './tenant-data.ts'
import type { Topic } from './topic.ts'
import type { Webhook } from './webhook.ts'

export interface Schedule {
  /** When, in UTC: seconds, minutes, hours, days, months, weekdays. */
  readonly cron: string
  readonly job: TypedJob<object>
}

export interface DemoOrganization {
  owner: Client
  accounts: readonly { email: string; role: string }[]
  password: string
}

interface Seed {
  organization?(base: string): Promise<DemoOrganization>
  content?(owner: Client, now: Date): Promise<void>
}

type HostKey = Exclude<Extract<keyof Provided['config'], `${string}_HOST`>, 'PLATFORM_HOST'>

/** Where a service answers (PLT-05), whether it runs in this process or not. */
export interface ServiceAddress {
  slug: string
  host?: HostKey
  /** Paths that several services have, for which this one is the default when neither the host nor `?app=` decides. */
  defaultPaths?: readonly string[]
}

/** What the frame around pages shows of a context. The frame declares the fields. */
// oxlint-disable-next-line typescript/no-empty-object-type
export interface ShellPart {}

export interface Context extends ServiceAddress {
  group?: string
  /** False for a context that isn't a service of the registry: it has no permissions, keys or tokens of its own. */
  registered?: false
  everywhere?: true
  /** Its pages are the app that browsers install from its host (DSH-23). */
  installable?: true
  operations: Record<string, Operation>
  pages: readonly Page[]
  webhooks: readonly Webhook[]
  sockets?: readonly Socket[]
  endpoints?: readonly Endpoint[]
  topics?: readonly Topic[]
  jobs: readonly Job[]
  schedules?: readonly Schedule[]
  start?(parts: StartDependencies): Promise<Running>
  shell?(call: Call, actor: Actor): Promise<ShellPart>
  /** Where its people start after signing in, when it is open on the host and they are in an organization. */
  home?: string
  /** Where it runs, its home comes before those of other services for people who can open it. */
  startsHere?: true
  /** The paths of its operation and of its page that open an app: links to apps use them where it runs (DSH-22). */
  launches?: { operation: string; page: string }
  search?: SearchSource
  events?: readonly WebhookEvent[]
  /** The slugs of services whose tokens are refused on each of its operations. */
  refusedCallers?: readonly string[]
  /** Its operations look at bindings themselves, so that roles that are limited in another service can use it (IDN-27). */
  takesLimitedRoles?: true
  /** Whether test keys are refused on each of its operations and topics: its data of the organization is live (IDN-36). */
  refusesTestKeys?(provided: Provided, organizationId: string): Promise<boolean>
  /** Erases its data of deleted organizations and accounts. Also listed in `schedules`, but not in `jobs`. */
  erasureJob?: TypedJob<object>
  /** Other services need it, and its credentials, while they erase. */
  erasesLast?: true
  /** Where new people and organizations are set up for it (DSH-04). */
  onboarding?: readonly OnboardingStep[]
  takeAction?: TakeAction
  /** Topics that its widget depends on, as far as the actor can follow them. */
  widgetTopics?(call: Call, actor: Actor): Promise<readonly string[]>
  takeEvent?: TakeEvent
  /** What its actions and notices are about. */
  notificationKinds?: readonly NotificationKind[]
  data?: readonly TenantData[]
  /** The module with its schemas. The API description names each like its export. */
  contract?: Record<string, unknown>
  seed?: Seed
  /** Columns of sealed texts, for a rotation of SECRETS_KEY; their tables have an `id`. */
  sealed?: readonly PgColumn[]
}
