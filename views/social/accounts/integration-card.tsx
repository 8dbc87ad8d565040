import type { Integration, IntegrationList } from '#social/types'
import { Badge, NetworkMark } from '#views/ui/marks.tsx'
import { Button, ButtonLink } from '#views/ui/button.tsx'
import { Notice } from '#views/ui/feedback.tsx'
import { AccountList } from './account-list.tsx'
import { opensConnect } from './connect-dialog.tsx'

interface CardProps {
  integration: Integration
  brand: IntegrationList['brand']
  /** The one to connect first. */
  isPrimary: boolean
}

const readiness = {
  'production-ready': { label: 'Available', tone: 'success' },
  'sandbox-only': { label: 'Sandbox only', tone: 'info' },
  'setup-required': { label: 'Setup required', tone: 'warning' },
} as const

/** The built-in network is nothing but a sandbox. */
const badgeOf = ({ provider, readiness: state }: Integration) =>
  provider === 'sandbox' ? { ...readiness[state], label: 'Test network' } : readiness[state]

export const IntegrationCard = ({ integration, brand, isPrimary }: CardProps) => (
  <article class="card" aria-labelledby={`network-${integration.provider}`}>
    <header>
      <span class="net-lg">
        <NetworkMark network={integration.provider} />
      </span>
      <h2 id={`network-${integration.provider}`} safe>
        {integration.name}
      </h2>
      <span class="push">
        <Badge {...badgeOf(integration)} />
      </span>
    </header>
    <div class="body stack">
      {integration.attention ? <Notice tone="danger" text={integration.attention} /> : null}
      {integration.connections.length > 0 ? <AccountList connections={integration.connections} /> : null}
      <p class="small muted" safe>
        {describe(integration)}
      </p>
    </div>
    {brand && integration.can.connect ? <Connect integration={integration} isPrimary={isPrimary} /> : null}
    {integration.readiness === 'setup-required' ? (
      <footer>
        <ButtonLink label="What is missing" icon="circle-help" href="/gateway/connections" />
      </footer>
    ) : null}
  </article>
)

const Connect = ({ integration: { provider, connections }, isPrimary }: Omit<CardProps, 'brand'>) => {
  const isFirst = connections.length === 0
  return (
    <footer>
      <Button
        label={isFirst ? 'Connect' : 'Connect another'}
        icon={isFirst ? 'plug' : 'plus'}
        variant={isPrimary ? 'primary' : undefined}
        {...opensConnect(provider)}
      />
    </footer>
  )
}

const setupNote = 'An administrator has to set its app credentials in the gateway.'

const sandboxNote = 'Connected with sandbox credentials: posts aren’t shown to the public.'

const describe = ({ provider, limits, note, readiness: state }: Integration): string =>
  [
    note,
    state === 'setup-required' ? setupNote : null,
    state === 'sandbox-only' && provider !== 'sandbox' ? sandboxNote : null,
    `${limits.characters.toLocaleString('en')} characters${formatMedia(limits.media)}.`,
  ]
    .filter(Boolean)
    .join(' ')

const formatMedia = (media: number): string => {
  if (media === 0) return ''
  return media === 1 ? ', 1 attachment' : `, ${media} attachments`
}
