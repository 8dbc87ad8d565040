import { foldOperations } from '#lib/module.ts'
import type { Context } from '#lib/context.ts'
import * as accountOperations from './accounts/accounts.operations.tsx'
import * as brandOperations from './brands/brands.operations.tsx'
import * as brandPages from './brands/brands.pages.tsx'
import * as integrationOperations from './accounts/integrations.operations.tsx'
import { reportAllBrands, reportBrands } from './brands/report.ts'
import { deleteExpired, eraseOrganizations } from './erasure/jobs.ts'
import { socialEvents } from './events.ts'
import { sweepFiles } from './media/jobs.ts'
import * as mediaOperations from './media/media.operations.ts'
import { finishUpload } from './uploads/finish.ts'
import * as uploadOperations from './uploads/uploads.operations.ts'
import * as postChangeOperations from './posts/post-changes.operations.tsx'
import * as postOperations from './posts/posts.operations.tsx'
import * as serviceOperations from './service.operations.ts'
import * as accountPages from './accounts/accounts.pages.tsx'
import * as consentReturn from './accounts/consent-return.tsx'
import * as composerPages from './posts/composer.pages.tsx'
import * as postPages from './posts/post.pages.tsx'
import { postsTopic } from './posts/posts.topic.ts'
import * as postsPages from './posts/posts.pages.tsx'
import { search } from './search.ts'
import { shell } from './shell.ts'
import { startPublishing } from './publishing/start.ts'
import { authorizations, connections, networkApps } from './schema.ts'
import * as contract from './contract.ts'
import * as postInput from './posts/input.ts'
import { socialData } from './tenant-data.ts'
import * as sandboxPages from './sandbox/sandbox.pages.tsx'
import * as sandboxOperations from './sandbox/sandbox.operations.tsx'

export { countBrands, type BrandRow } from './brands/brands.ts'
export { reportAllBrands } from './brands/report.ts'
export { holdOverdue } from './posts/hold.ts'
export { createScheduler, type Scheduler } from './publishing/scheduler.ts'

/** Social publishing: brands, accounts, posts, and the scheduler that sends them. */
export const social: Context = {
  slug: 'platform-socialize',
  group: 'social',
  home: '/workspace/posts',
  host: 'SOCIAL_HOST',
  defaultPaths: ['/api/widget'],
  operations: foldOperations([
    brandOperations,
    integrationOperations,
    accountOperations,
    postOperations,
    postChangeOperations,
    serviceOperations,
    mediaOperations,
    uploadOperations,
  ]),
  pages: [postsPages, postPages, composerPages, accountPages, consentReturn, brandPages].flatMap((pages) =>
    Object.values(pages),
  ),
  webhooks: [],
  topics: [postsTopic],
  erasureJob: eraseOrganizations,
  data: socialData,
  seed: { content: async (owner, now) => (await import('./seed.ts')).seedWorkspace(owner, now) },
  jobs: [sweepFiles, finishUpload, deleteExpired, reportBrands, reportAllBrands],
  schedules: [
    { cron: '0 22 * * * *', job: eraseOrganizations },
    { cron: '0 47 * * * *', job: sweepFiles },
    { cron: '0 52 * * * *', job: deleteExpired },
  ],
  start: startPublishing,
  shell,
  search,
  events: socialEvents,
  sealed: [connections.sealedTokens, networkApps.sealedSecret, authorizations.sealedKept],
  contract: { ...contract, ...postInput },
}

/** The built-in network, for development and tests without real ones. */
export const sandbox: Context = {
  slug: social.slug,
  group: social.group,
  operations: { ...sandboxOperations },
  pages: Object.values(sandboxPages),
  webhooks: [],
  jobs: [],
}
