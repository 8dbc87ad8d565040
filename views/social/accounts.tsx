import type { Integration } from '#social/types'
import { Notice } from '#views/ui/notice.tsx'
import { IntegrationCard } from './integration-card.tsx'
import { networkNames } from './line.ts'

export interface AccountsProps {
  brand: { id: string; name: string; timeZone: string }
  integrations: Integration[]
  /** Acts are shown. */
  mayWrite: boolean
  /** Set after a return from a network's consent page without a connected account. */
  unconnected: { why: 'denied' | 'expired' | 'failed'; network: Integration['provider'] } | null
}

/** Every network with the brand's accounts on it. */
export const Accounts = (props: AccountsProps) => (
  <>
    <header class="page-header">
      <h1>
        Accounts
        <small class="muted">{activeOf(props.integrations)} connected</small>
      </h1>
    </header>
    <div class="page stack" style="--measure: none">
      {props.unconnected ? <Unconnected {...props.unconnected} /> : null}
      <div class="grid">
        {props.integrations.map((integration) => (
          <IntegrationCard integration={integration} brand={props.brand} mayWrite={props.mayWrite} />
        ))}
      </div>
    </div>
  </>
)

const activeOf = (integrations: Integration[]): number =>
  integrations.flatMap(({ connections }) => connections).filter(({ active }) => active).length

const Unconnected = ({ why, network }: NonNullable<AccountsProps['unconnected']>) => {
  const name = networkNames[network]
  const words = {
    denied: `${name} says that consent was not given.`,
    expired: 'The consent took longer than 10 minutes, or its page was opened twice.',
    failed: `${name} could not complete the consent.`,
  }
  return (
    <Notice
      tone="warning"
      role="alert"
      title={`No ${name} account was connected`}
      text={`${words[why]} Connect it again when you like.`}
    />
  )
}
