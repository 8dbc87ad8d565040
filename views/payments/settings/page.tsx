import type { PaymentSettings, ProviderEndpoints } from '#payments/types'
import { PageHeader } from '#views/ui/page-header.tsx'
import { SettingsSection } from '#views/ui/settings.tsx'
import { Endpoints } from '../webhooks/endpoints.tsx'
import { Ceilings } from './ceilings.tsx'

interface SettingsProps {
  settings: PaymentSettings
  endpoints: ProviderEndpoints
}

export const SettingsPage = ({ settings, endpoints }: SettingsProps) => (
  <>
    <PageHeader title="Payment settings" />
    <Ceilings settings={settings} />
    <div class="page settings">
      <SettingsSection
        id="webhook-endpoints"
        title="Webhook endpoints"
        text="Where the payment provider reports what happens to your payments."
      >
        <div class="card">
          <Endpoints endpoints={endpoints} />
        </div>
      </SettingsSection>
    </div>
  </>
)
