import type { Context } from '#lib/context.ts'
import { foldModules } from '#lib/module.ts'
import * as actionContract from './actions/contract.ts'
import * as actions from './actions/actions.operations.tsx'
import * as apps from './apps.operations.tsx'
import * as contract from './contract.ts'
import * as developersPages from './developers.pages.tsx'
import * as keys from './keys/keys.operations.tsx'
import * as own from './own.operations.tsx'
import * as ownChanges from './own-changes.operations.tsx'
import * as adminAppsPages from './reviews/admin-apps.pages.tsx'
import * as reviews from './reviews/reviews.operations.tsx'
import * as organization from './organization.operations.tsx'

/** A separate application alongside identity (IDN-35). */
export const developerConsole: Context = {
  slug: 'platform-developer-console',
  group: 'developer-console',
  // The app switcher of every host links to its pages.
  everywhere: true,
  webhooks: [],
  ...foldModules([
    {
      operations: [organization, apps, actions, keys, reviews, own, ownChanges],
      pages: [developersPages, adminAppsPages],
      contracts: [contract, actionContract],
    },
  ]),
}
