import type { Context } from '#lib/context.ts'
import { foldModules } from '#lib/module.ts'
import { systemClock } from '#lib/time.ts'
import { accountsModule } from './accounts/index.ts'
import { firstBrandStep } from './brands/first-brand.step.tsx'
import { brandsModule } from './brands/index.ts'
import { calendarModule } from './calendar/index.ts'
import { callbacksModule } from './callbacks/index.ts'
import * as contract from './contract.ts'
import { correctionsModule } from './corrections/index.ts'
import { erasureModule } from './erasure/index.ts'
import { eraseOrganizations } from './erasure/jobs.ts'
import { socialEvents } from './events.ts'
import { guestsModule } from './guests/index.ts'
import { homeModule } from './home/index.ts'
import { imagesTopic } from './images/images.topic.ts'
import { imagesModule } from './images/index.ts'
import { mediaModule } from './media/index.ts'
import { linkPreviewsModule } from './link-previews/index.ts'
import { logVideoSupport } from './media/video/ffmpeg.ts'
import { socialKinds } from './notification-kinds.ts'
import { watchApiVersions } from './networks/api-versions.ts'
import { overviewModule } from './overview/index.ts'
import { pausesModule } from './pauses/index.ts'
import { postsModule } from './posts/index.ts'
import { editorsTopic } from './posts/editors/editors.topic.ts'
import { postsTopic } from './posts/posts.topic.ts'
import { planMissedComments } from './publishing/first-comments/plan.ts'
import { startPublishing } from './publishing/start.ts'
import { checkPublishedPost } from './publishing/watch-published.ts'
import { queueModule } from './queue/index.ts'
import { raisedModule } from './raised/index.ts'
import { readinessModule } from './readiness/index.ts'
import { reviewModule } from './review/index.ts'
import { sandboxModule } from './sandbox/index.ts'
import { preparations } from './schema.ts'
import { search } from './search.ts'
import * as serviceIdentity from './service.operations.ts'
import { shell } from './shell.tsx'
import { socialData } from './tenant-data.ts'
import { slotsModule } from './slots/index.ts'
import { suggestionsModule } from './suggestions/index.ts'
import { uploadsModule } from './uploads/index.ts'
import { widgetTopics } from './widget-topics.ts'

export { countBrands } from './brands/brands.ts'
export { reportAllBrands } from './brands/report.ts'
export { holdOverdue } from './posts/hold.ts'
export { createScheduler, type Scheduler } from './publishing/scheduler.ts'

export const social: Context = {
  slug: 'platform-socialize',
  group: 'social',
  home: '/workspace/posts',
  host: 'SOCIAL_HOST',
  defaultPaths: ['/api/widget'],
  webhooks: [],
  ...foldModules([
    postsModule, // The palette lists pages in this order.
    correctionsModule,
    calendarModule,
    queueModule,
    accountsModule,
    pausesModule,
    overviewModule,
    homeModule,
    brandsModule,
    slotsModule,
    suggestionsModule,
    mediaModule,
    imagesModule,
    uploadsModule,
    linkPreviewsModule,
    erasureModule,
    guestsModule,
    raisedModule,
    readinessModule,
    reviewModule,
    {
      operations: [serviceIdentity],
      contracts: [contract],
      jobs: [checkPublishedPost, planMissedComments],
      schedules: [{ cron: '50 * * * * *', job: planMissedComments }],
      sealed: [preparations.sealedProgress],
    },
    callbacksModule,
  ]),
  notificationKinds: socialKinds,
  topics: [postsTopic, editorsTopic, imagesTopic],
  widgetTopics,
  erasureJob: eraseOrganizations,
  data: socialData,
  seed: { content: async (owner, now) => (await import('./seed.ts')).seedWorkspace(owner, now) },
  start: async (parts) => {
    void logVideoSupport(parts)
    watchApiVersions(parts, systemClock)
    return startPublishing(parts)
  },
  shell,
  search,
  onboarding: [firstBrandStep],
  events: socialEvents,
}

/** The built-in network, for development and tests without real ones. */
export const sandbox: Context = {
  slug: social.slug,
  group: social.group,
  webhooks: [],
  ...foldModules([sandboxModule]),
}
