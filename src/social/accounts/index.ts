import type { Module } from '#lib/module.ts'
import { authorizations, connections, networkApps } from '../schema.ts'
import * as accounts from './accounts.operations.tsx'
import * as accountPages from './accounts.pages.tsx'
import * as clientMetadata from './client-metadata.operations.ts'
import * as choices from './choices/choices.operations.tsx'
import * as choicePages from './choices/choices.pages.tsx'
import * as history from './history/history.operations.tsx'
import * as consentReturn from './consent-return.tsx'
import { refreshLongLivedTokens, refreshTokensOfDuePosts } from './tokens/refresh-ahead.ts'
import { revokeDeactivated, revokeForgotten } from './tokens/revoke-deactivated.ts'
import * as refresh from './tokens/refresh.operations.ts'
import * as integrations from './integrations.operations.tsx'
import { reportAccount, reportUnreported } from './report.ts'

export const accountsModule: Module = {
  jobs: [
    reportAccount,
    reportUnreported,
    refreshLongLivedTokens,
    refreshTokensOfDuePosts,
    revokeDeactivated,
    revokeForgotten,
  ],
  schedules: [
    { cron: '0 6,16,26,36,46,56 * * * *', job: reportUnreported },
    { cron: '0 13 * * * *', job: refreshLongLivedTokens },
    { cron: '40 * * * * *', job: refreshTokensOfDuePosts },
    { cron: '0 48 4 * * *', job: revokeForgotten },
  ],
  operations: [accounts, choices, clientMetadata, history, integrations, refresh],
  pages: [choicePages, accountPages, consentReturn],
  sealed: [connections.sealedTokens, networkApps.sealedSecret, authorizations.sealedKept],
}
