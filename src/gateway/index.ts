import type { Context } from '#lib/context.ts'
import { foldModules } from '#lib/module.ts'
import { accessModule } from './access/index.ts'
import { aiModule } from './ai/index.ts'
import { budgetsModule } from './budgets/index.ts'
import { credentialsModule } from './credentials/index.ts'
import * as contract from './contract.ts'
import { emailModule } from './email/index.ts'
import { mailEvents } from './email/events.ts'
import { emailReports } from './email/webhook.ts'
import { deleteExpired, eraseOrganizations } from './jobs.ts'
import { budgetEvents } from './budgets/events.ts'
import { gatewayKinds } from './notification-kinds.ts'
import { modelsModule } from './models/index.ts'
import { paymentsModule } from './payments/index.ts'
import { overviewModule } from './overview/index.ts'
import { search } from './search.ts'
import { socialCredentialsModule } from './social-credentials/index.ts'
import { senderEvents } from './senders/events.ts'
import { sendersModule } from './senders/index.ts'
import { shell } from './shell.tsx'
import { startGateway } from './start.ts'
import { gatewayData } from './tenant-data.ts'
import { usageModule } from './usage/index.ts'
import { videoModule } from './video/index.ts'

export { practiceModels } from './practice-models/index.ts'
export { practicePayments } from './practice-payments/index.ts'
export { practiceVideo } from './practice-video/index.ts'
export { openGateway } from './open.ts'
export { createGatewayClient } from './client/client.ts'
export { imagesTimeoutMsOf, type GeneratedImages, type ImageLimit } from './client/images.ts'
export type { PaymentsClient } from './client/payments.ts'
export { isGatewayUnavailable, mayHaveReachedGateway } from './client/requests.ts'
export { isAccountChanged, writeOutcomeOf } from './client/write-outcome.ts'
export type { SocialCredentials } from './client/social.ts'
export type { VideoClient, VideoUser } from './client/video.ts'
export { ClientKey, type BlueskyTokens } from './contract/bluesky.ts'
export type { SocialTokens as AppTokens } from './contract/social.ts'
export { createUsageMonitor, type MonitoredRequest, type UsageMonitor } from './usage/monitor.ts'
export { createUpstreams } from './providers/upstreams.ts'

export const gateway: Context = {
  slug: 'platform-gateway',
  group: 'gateway',
  home: '/gateway',
  host: 'GATEWAY_HOST',
  webhooks: [emailReports],
  ...foldModules([
    overviewModule, // The palette lists pages in this order.
    budgetsModule,
    usageModule,
    modelsModule,
    credentialsModule,
    sendersModule,
    emailModule,
    aiModule,
    paymentsModule,
    accessModule,
    socialCredentialsModule,
    videoModule,
    {
      contracts: [contract],
      jobs: [deleteExpired],
      schedules: [
        { cron: '0 37 * * * *', job: deleteExpired },
        { cron: '0 8,38 * * * *', job: eraseOrganizations },
      ],
    },
  ]),
  notificationKinds: gatewayKinds,
  refusedCallers: ['platform-p2p'],
  erasureJob: eraseOrganizations,
  erasesLast: true,
  start: startGateway,
  shell,
  search,
  events: [...budgetEvents, ...senderEvents, ...mailEvents],
  data: gatewayData,
  seed: { content: async (owner, now) => (await import('./seed.ts')).seedGateway(owner, now) },
}
