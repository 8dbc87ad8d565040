import type { Config } from '#config'
import type { Context } from '#lib/context.ts'
import { forgetMails, sendMail } from '#lib/mail.ts'
import { identity } from '#identity'
import { sandbox, social } from '#social'
import { front } from './front.pages.tsx'
import { mailbox } from './mailbox.pages.tsx'
import { searchOf } from './search.operations.tsx'

/** The whole product: every context by the name that `SERVICES` takes. */
export const contexts = { identity, social } satisfies Record<string, Context>

/** What runs in this process; the sandbox network goes with social in development and tests. */
export function chosenContexts(config: Config): Context[] {
  const services = [
    ...config.SERVICES.map((name) => contexts[name]),
    ...(config.offlineHelps && config.SERVICES.includes('social') ? [sandbox] : []),
  ]
  return [...services, platform(config, services)]
}

/** What belongs to no service: the front page, the search, mails, and the mailbox where they stay in development and tests. */
const platform = ({ offlineHelps, SMTP_URL }: Config, services: readonly Context[]): Context => ({
  slug: 'platform-dashboard-api',
  operations: { search: searchOf(services) },
  pages: offlineHelps && !SMTP_URL ? [front, ...mailbox] : [front],
  webhooks: [],
  jobs: [sendMail, forgetMails],
})
