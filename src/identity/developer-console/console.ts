import type { Context } from '#lib/context.ts'
import * as contract from './contract.ts'
import * as workspace from './workspace.operations.tsx'

/** The developer console, an application of its own beside identity: apps, their review, actions and keys (IDN-35). */
export const developerConsole: Context = {
  slug: 'platform-developer-console',
  // Its pages are opened from the app switcher of each host.
  everywhere: true,
  operations: { ...workspace },
  pages: [],
  webhooks: [],
  jobs: [],
  contract,
}
