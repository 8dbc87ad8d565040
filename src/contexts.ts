import type { Config } from '#config'
import type { Context, ServiceAddress } from '#lib/context.ts'
import { gateway, practiceModels, practicePayments, practiceVideo } from '#gateway'
import { dashboard, launcher, website } from '#dashboard'
import { payments } from '#payments'
import { developerConsole, identity } from '#identity'
import { platformOf } from '#platform'
import { sandbox, social } from '#social'

export const contexts = { identity, social, gateway, payments, dashboard } satisfies Record<string, Context>

export const serviceAddresses: readonly ServiceAddress[] = [...Object.values(contexts), website]

/** The developer console runs with identity, the launcher and the website with the dashboard, and in development and tests the sandbox network with social, the practice models, payments and videos with the gateway. */
export function chosenContexts(config: Config): Context[] {
  const services = [
    ...config.SERVICES.map((name) => contexts[name]),
    ...(config.SERVICES.includes('identity') ? [developerConsole] : []),
    ...(config.SERVICES.includes('dashboard') ? [launcher, website] : []),
    ...(config.offlineHelps && config.SERVICES.includes('social') ? [sandbox] : []),
    ...(config.offlineHelps && config.SERVICES.includes('gateway')
      ? [practiceModels, practicePayments, practiceVideo]
      : []),
  ]
  const platform = platformOf({ config, product: Object.values(contexts), services, running: () => all })
  const all: Context[] = [...services, platform]
  return all
}
