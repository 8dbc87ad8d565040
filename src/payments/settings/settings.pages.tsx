import { z } from 'zod'
import { page } from '#lib/page.ts'
import { SettingsPage } from '#views/payments/settings/page.tsx'
import { listProviderEndpoints } from '../webhooks/webhooks.operations.tsx'
import { getPaymentSettings } from './settings.operations.tsx'

export const paymentSettingsPage = page({
  path: '/pay/settings',
  permission: 'settings:read',
  query: z.object({}),
  screen: 'settings payments',
  icon: 'settings',
  title: 'Payment settings',
  keywords: 'ceilings limits second person approval refunds batches webhook endpoint signing secret',
  load: async ({ ask }) => {
    const [settings, endpoints] = await Promise.all([ask(getPaymentSettings, {}), ask(listProviderEndpoints, {})])
    return { settings, endpoints }
  },
  view: (props) => <SettingsPage {...props} />,
})
