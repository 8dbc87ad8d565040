import type { Config } from '#config'
import type { Context, ServiceAddress } from '#lib/context.ts'
import { foldOperations } from '#lib/fold-operations.ts'
import { forgetSpent } from '#lib/forget-spent.ts'
import { sendMail } from '#lib/mail.ts'
import * as webhookContract from '#lib/outgoing-webhooks/contract.ts'
import { deliverSlowWebhook, deliverWebhook } from '#lib/outgoing-webhooks/deliver.ts'
import { resumeWebhook, resumeWebhooks } from '#lib/outgoing-webhooks/resume.ts'
import { offeredEvents } from '#lib/outgoing-webhooks/event.ts'
import { webhookTopic } from '#lib/outgoing-webhooks/webhook.topic.ts'
import { handOverAction, startHandingOver } from '#lib/raised-actions/hand-over.ts'
import { searchKinds } from '#lib/search.ts'
import { developerConsole, identity } from '#identity'
import { exportsOf, personShell } from '#platform'
import { sandbox, social } from '#social'
import { describeApiInSlices } from './api-description.ts'
import * as jobOperations from './jobs.operations.tsx'
import { jobsPageOf } from './jobs.pages.tsx'
import { front } from './front.pages.tsx'
import { mailbox } from './mailbox.pages.tsx'
import { createLiveToken, liveSocket } from './live.operations.ts'
import * as mcpOperations from './mcp.operations.ts'
import * as receivedWebhookOperations from './received-webhooks.operations.ts'
import { receivedWebhooksPageOf } from './received-webhooks.pages.tsx'
import { referencePages } from './reference.pages.tsx'
import { commonKinds } from './search.ts'
import { searchOf } from './search.operations.tsx'
import { webhookOperationsOf } from './webhooks.operations.tsx'
import { webhookPagesOf } from './webhooks.pages.tsx'

/** All contexts, by their name in `SERVICES`. */
export const contexts = { identity, social } satisfies Record<string, Context>

const dashboard: ServiceAddress = {
  slug: 'platform-dashboard-api',
  host: 'DASHBOARD_HOST',
  defaultPaths: ['/login'],
}

/** The addresses of all services, including those still to come. */
export const serviceAddresses: readonly ServiceAddress[] = [
  ...Object.values(contexts),
  { slug: 'platform-gateway', host: 'GATEWAY_HOST' },
  dashboard,
  { slug: 'platform-pay', host: 'PAY_HOST', defaultPaths: ['/api/service-identity'] },
]

/** Events of all services, also those in other processes: they share the database. */
const webhookEvents = offeredEvents(Object.values(contexts))

/** Names of the webhooks of all services. */
const webhookNames = Object.values<Context>(contexts).flatMap(({ webhooks }) => webhooks.map(({ name }) => name))

/** Kinds of search results of all services, also those in other processes: the API's description is the same everywhere. */
const kinds = searchKinds(commonKinds, Object.values(contexts))

/** What runs in this process; the developer console goes with identity, the sandbox network with social in development and tests. */
export function chosenContexts(config: Config): Context[] {
  const services = [
    ...config.SERVICES.map((name) => contexts[name]),
    ...(config.SERVICES.includes('identity') ? [developerConsole] : []),
    ...(config.offlineHelps && config.SERVICES.includes('social') ? [sandbox] : []),
  ]
  const all: Context[] = [...services, platform(config, services, () => all)]
  return all
}

/**
 * Everything that belongs to no service: the front page, search, the live channel, the API reference, mails, and the mailbox
 * of development and tests.
 */
function platform(config: Config, services: readonly Context[], all: () => readonly Context[]): Context {
  const exported = exportsOf(services)
  // Without a dashboard no worker must complete them.
  const taking = config.DASHBOARD_URL || services.some(({ takeAction }) => takeAction) ? [handOverAction] : []
  const kept = config.offlineHelps && !config.SMTP_URL ? mailbox : []
  return {
    ...dashboard,
    everywhere: true,
    operations: foldOperations([
      { search: searchOf(kinds, all) },
      jobOperations,
      mcpOperations,
      exported.operations,
      webhookOperationsOf(webhookEvents),
      receivedWebhookOperations,
      { createLiveToken },
    ]),
    pages: [
      front,
      jobsPageOf(webhookNames),
      receivedWebhooksPageOf(webhookNames),
      ...webhookPagesOf(webhookEvents),
      ...exported.pages,
      ...referencePages(() => describeApiInSlices(all(), config)),
      ...kept,
    ],
    webhooks: [],
    sockets: [liveSocket],
    topics: [webhookTopic, ...exported.topics],
    jobs: [
      sendMail,
      forgetSpent,
      deliverWebhook,
      deliverSlowWebhook,
      resumeWebhook,
      resumeWebhooks,
      ...taking,
      ...exported.jobs,
    ],
    start: async (parts) => startHandingOver(parts),
    schedules: [
      { cron: '0 47 * * * *', job: forgetSpent },
      { cron: '25 * * * * *', job: resumeWebhooks },
      ...exported.schedules,
    ],
    shell: personShell,
    // People are found through identity's client, also when it runs in another process.
    search: services.includes(identity) ? undefined : identity.search,
    data: exported.data,
    contract: { ...webhookContract, ...exported.contract },
  }
}
