import type { Integration } from '#social'
import { IntegrationCard } from './integration-card.tsx'

export interface AccountsProps {
  brand: { id: string; name: string; timeZone: string }
  integrations: Integration[]
  /** Acts are shown. */
  mayWrite: boolean
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
    <div class="page" style="--measure: none">
      <div class="grid" style="--min: 20rem">
        {props.integrations.map((integration) => (
          <IntegrationCard integration={integration} brand={props.brand} mayWrite={props.mayWrite} />
        ))}
      </div>
    </div>
  </>
)

const activeOf = (integrations: Integration[]): number =>
  integrations.flatMap(({ connections }) => connections).filter(({ active }) => active).length
