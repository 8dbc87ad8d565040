import type { Config } from '#config'
import type { Context } from '#lib/context.ts'
import { foldOperations } from '#lib/module.ts'
import { deleteExpired } from '#lib/db/delete-expired.ts'
import { keepsMails, sendMail } from '#lib/mail.ts'
import { handOverEvent } from '#lib/event-subscriptions/hand-over.ts'
import { jobsOf } from '#lib/incoming-webhooks/handle.ts'
import * as webhookContract from '#lib/outgoing-webhooks/contract.ts'
import { deliverSlowWebhook, deliverWebhook } from '#lib/outgoing-webhooks/deliver.ts'
import { offeredEvents } from '#lib/outgoing-webhooks/event.ts'
import { resumeWebhook, resumeWebhooks } from '#lib/outgoing-webhooks/resume.ts'
import { webhookTopic } from '#lib/outgoing-webhooks/webhook.topic.ts'
import { endNotices } from '#lib/raised-actions/end-notices.ts'
import { handOverAction, startHandingOver } from '#lib/raised-actions/hand-over.ts'
import { searchKinds } from '#lib/search.ts'
import { identity } from '#identity'
import { exportsOf } from './exports/index.ts'
import { frontOf } from './front/front.pages.tsx'
import {
  deleteDeadJob,
  listDeadJobs,
  listQueues,
  retryOperationOf,
  retryQueueOperationOf,
} from './jobs/jobs.operations.tsx'
import { jobsPageOf } from './jobs/jobs.pages.tsx'
import { createLiveToken, liveSocket } from './live/live.operations.ts'
import { deleteKeptMails, getKeptMail, listKeptMails } from './mailbox/mailbox.operations.tsx'
import { mailboxPages } from './mailbox/mailbox.pages.tsx'
import * as mcpOperations from './mcp/mcp.operations.ts'
import { receivedWebhookOperationsOf } from './received-webhooks/received-webhooks.operations.tsx'
import { receivedWebhooksPageOf } from './received-webhooks/received-webhooks.pages.tsx'
import { describeApiInSlices } from './reference/describe-api.ts'
import { referencePages } from './reference/reference.pages.tsx'
import { searchOf } from './search/search.operations.tsx'
import { commonKinds } from './search/search.ts'
import { settingsOverviewOf } from './settings/settings-overview.pages.tsx'
import { personShell } from './shell/person-shell.ts'
import { platformData } from './tenant-data.ts'
import { deliveryOperationsOf } from './webhooks/deliveries.operations.tsx'
import { webhookOperationsOf } from './webhooks/webhooks.operations.tsx'
import { webhookPagesOf } from './webhooks/webhooks.pages.tsx'

export { takerOf } from './actions/dashboard.ts'
export { sweepExports } from './exports/jobs.ts'
export { mcpOf } from './mcp/mcp.ts'
export { describeApi, describeApiInSlices } from './reference/describe-api.ts'
export { placeOf, shellOf, themeOf } from './shell/shell.tsx'

interface PlatformParts {
  config: Config
  /** Those in other processes too: they share the database and the API's description. */
  product: readonly Context[]
  services: readonly Context[]
  running: () => readonly Context[]
}

/** Everything that belongs to no service, such as search, mails, webhooks and jobs. */
export function platformOf({ config, product, services, running }: PlatformParts): Context {
  const exported = exportsOf(services)
  const webhookEvents = offeredEvents(product)
  const webhooks = { ...webhookOperationsOf(webhookEvents), ...deliveryOperationsOf(webhookEvents) }
  const receivedWebhooks = receivedWebhookOperationsOf(
    product.flatMap((context) => context.webhooks.map(({ name }) => name)),
  )
  // Without a dashboard no worker must complete them.
  const taking = config.DASHBOARD_URL || services.some(({ takeAction }) => takeAction) ? [handOverAction] : []
  const takingEvents = services.some(({ takeEvent }) => takeEvent) ? [handOverEvent] : []
  /** Processes share the queue: a job of another one can be retried here. */
  const declaredJobs = () => new Set(jobsOf([...product, ...running()]).map(({ name }) => name))
  const hasMailbox = keepsMails(config)
  return {
    slug: 'platform',
    registered: false,
    everywhere: true,
    operations: foldOperations([
      { search: searchOf(searchKinds(commonKinds, product), running) },
      {
        listQueues,
        listDeadJobs,
        deleteDeadJob,
        retryDeadJob: retryOperationOf(declaredJobs),
        retryQueue: retryQueueOperationOf(declaredJobs),
      },
      mcpOperations,
      exported.operations,
      webhooks,
      receivedWebhooks,
      { createLiveToken },
      hasMailbox ? { deleteKeptMails, getKeptMail, listKeptMails } : {},
    ]),
    pages: [
      frontOf({ product, running }),
      settingsOverviewOf(running),
      jobsPageOf(receivedWebhooks),
      receivedWebhooksPageOf(receivedWebhooks),
      ...webhookPagesOf(webhooks),
      ...exported.pages,
      ...referencePages(() => describeApiInSlices(running(), config)),
      ...(hasMailbox ? mailboxPages : []),
    ],
    webhooks: [],
    sockets: [liveSocket],
    topics: [webhookTopic, ...exported.topics],
    jobs: [
      sendMail,
      deleteExpired,
      deliverWebhook,
      deliverSlowWebhook,
      resumeWebhook,
      resumeWebhooks,
      endNotices,
      ...taking,
      ...takingEvents,
      ...exported.jobs,
    ],
    start: async (parts) => startHandingOver(parts),
    schedules: [
      { cron: '0 47 * * * *', job: deleteExpired },
      { cron: '25 * * * * *', job: resumeWebhooks },
      { cron: '0 42 4 * * *', job: endNotices },
      ...exported.schedules,
    ],
    shell: personShell,
    // People are found through identity's client, also when it runs in another process.
    search: services.includes(identity) ? undefined : identity.search,
    data: platformData,
    contract: { ...webhookContract, ...exported.contract },
  }
}
