import { z } from 'zod'
import { androidApps, iosAppIds } from '../app-links.ts'
import { flag, hosts, hostsBySlug, list, origin, privateKey } from './values.ts'

export const everyService = ['identity', 'social', 'gateway', 'payments', 'dashboard'] as const

/** Which services this process serves, and where the others are. */
export const servicesSettings = {
  /** Hosts of each service, and those that serve everything in addition to the one of PUBLIC_URL (PLT-05, PLT-09). */
  IDENTITY_HOST: hosts,
  SOCIAL_HOST: hosts,
  GATEWAY_HOST: hosts,
  DASHBOARD_HOST: hosts,
  PAY_HOST: hosts,
  PLATFORM_HOST: hosts,
  SERVICES: list.pipe(z.array(z.enum(everyService)).nonempty()).default([...everyService]),
  AUTH_API_URL: origin.optional(),
  /** Of the provider gateway in another process. */
  NEXUS_GATEWAY_URL: origin.optional(),
  /** The public URL of the payment service, for links that customers and providers get; by default PUBLIC_URL. */
  PAY_APP_URL: origin.optional(),
  /** Of the dashboard in another process, which receives actions. */
  DASHBOARD_URL: origin.optional(),
  /** Where apps' widgets are read instead of the registry's host, by slug; also in a private network (DSH-12). */
  WIDGET_HOSTS: hostsBySlug.default(new Map()),
  /** Native apps that open this server's links: `TEAMID.bundle` and `package=fingerprint` (DSH-23). */
  IOS_APP_IDS: list.pipe(iosAppIds).default([]),
  ANDROID_APPS: list.pipe(androidApps).default([]),
  /** The JWK with which this process authenticates to identity in another process (IDN-40). */
  SERVICE_KEY: privateKey.optional(),
  REGISTRATION_VERIFY: flag.optional(),
  ONBOARDING: flag.optional(),
}
