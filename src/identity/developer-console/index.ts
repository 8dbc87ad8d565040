import { foldOperations } from '#lib/fold-operations.ts'
import type { Context } from '#lib/context.ts'
import * as actionContract from './actions/contract.ts'
import * as actions from './actions/actions.operations.tsx'
import { adminAppPage, adminAppsPage } from './reviews/admin-apps.pages.tsx'
import * as apps from './apps.operations.tsx'
import * as contract from './contract.ts'
import { actionPage, appPage, developersPage, newActionPage, newAppPage } from './developers.pages.tsx'
import * as keys from './keys/keys.operations.tsx'
import { ownOperations } from './own.operations.ts'
import * as reviews from './reviews/reviews.operations.tsx'
import * as workspace from './workspace.operations.tsx'

/** The developer console, a separate application beside identity: apps, their review, actions and keys (IDN-35). */
export const developerConsole: Context = {
  slug: 'platform-developer-console',
  // The app switcher of every host links to its pages.
  everywhere: true,
  operations: foldOperations([
    workspace,
    apps,
    actions,
    keys,
    reviews,
    ownOperations({ ...apps, ...actions, ...keys }),
  ]),
  pages: [developersPage, newAppPage, appPage, newActionPage, actionPage, adminAppsPage, adminAppPage],
  webhooks: [],
  jobs: [],
  contract: { ...contract, ...actionContract },
}
