import type { WatchedApiKey, OfferedResource } from '#identity/types'
import { Button } from '#views/ui/button.tsx'
import { Empty } from '#views/ui/empty.tsx'
import { MoreRows } from '#views/ui/more-rows.tsx'
import { ApiKeyRow } from './api-key-row.tsx'
import { NewKeyDialog, newKeyDialog, type NewKeyProps } from './new-key-dialog.tsx'

export interface ApiKeysProps extends NewKeyProps {
  keys: WatchedApiKey[]
  nextCursor: string | null
  /** Who answers for the keys; not here any more when they left the organization. */
  makers: { id: string; name: string; isHere: boolean }[]
  /** The names of what keys are bound to. */
  resources: OfferedResource[]
  now: Date
}

/** The organization's API keys, and what may be done about them. */
export const ApiKeys = (props: ApiKeysProps) => (
  <div class="page" style="--measure: 60rem">
    <section class="section" aria-labelledby="keys">
      <header>
        <h2 id="keys">API keys</h2>
        {props.keys.length > 0 ? <NewKeyButton /> : null}
      </header>
      <p class="muted prose">API keys act within their scopes and their owner’s permissions.</p>
      {props.keys.length > 0 ? <Table {...props} /> : <None />}
    </section>
    <NewKeyDialog {...props} />
  </div>
)

const NewKeyButton = () => (
  <Button label="New key" icon="plus" variant="primary" commandfor={newKeyDialog} command="show-modal" />
)

const None = () => (
  <Empty
    icon="key-round"
    title="No keys yet"
    text="Create one for each program, with only the scopes that it needs."
    heading="h2"
  >
    <NewKeyButton />
  </Empty>
)

const Table = (props: ApiKeysProps) => (
  <table class="table keys" data-list>
    <caption class="visually-hidden">API keys</caption>
    <thead>
      <tr>
        <th scope="col">Name</th>
        <th scope="col">Scopes</th>
        <th scope="col">Last used (UTC)</th>
        <th scope="col">Expires (UTC)</th>
        <th scope="col">
          <span class="visually-hidden">Actions</span>
        </th>
      </tr>
    </thead>
    <tbody>
      {props.keys.map((key) => (
        <ApiKeyRow
          apiKey={key}
          service={props.services.find(({ slug }) => slug === key.service)?.name ?? key.service}
          maker={props.makers.find(({ id }) => id === key.createdBy)}
          agent={props.agents.find(({ id }) => id === key.agentId)?.name}
          bound={boundTo(key, props.resources)}
          now={props.now}
        />
      ))}
    </tbody>
    <More {...props} />
  </table>
)

const boundTo = ({ bindings }: WatchedApiKey, resources: OfferedResource[]): string[] =>
  bindings.map(({ kind, id }) => resources.find((each) => each.id === id)?.name ?? `Deleted ${kind}`)

const More = ({ keys, nextCursor }: ApiKeysProps) => {
  if (!nextCursor) return <></>
  const next = `/settings/keys?cursor=${encodeURIComponent(nextCursor)}`
  return <MoreRows label="More keys" summary={`${keys.length} more shown`} next={next} columns={5} />
}
