import { viewerZoneName } from '#views/ui/time.tsx'
import type { ApiKeyDetail, ApiKeyOptions, KeyFilter } from '#identity/types'
import { Button, ButtonLink } from '#views/ui/button.tsx'
import { Icon } from '#views/ui/icon.tsx'
import { Empty } from '#views/ui/feedback.tsx'
import { MoreRows } from '#views/ui/lists.tsx'
import { ApiKeyRow, hasEnded, needsAttention } from './api-key-row.tsx'
import { NewKeyDialog, newKeyDialog } from './new-key-dialog.tsx'

interface ApiKeyListProps {
  keys: ApiKeyDetail[]
  nextCursor: string | null
  filter: KeyFilter & { cursor?: string }
}

export interface ApiKeysProps extends ApiKeyListProps {
  options: ApiKeyOptions
}

/** More than most organizations have; further keys are loaded on request. */
export const keysPerPage = 50

export const ApiKeys = ({ options, ...list }: ApiKeysProps) => (
  <>
    <header class="page-header">
      <h1>API keys</h1>
      <div class="actions">{hasKeys(list) ? <NewKeyButton /> : null}</div>
    </header>
    <div class="page stack" style="--measure: 80rem; --gap: var(--space-5)">
      <p class="muted prose">API keys can only do what their scopes and their owner’s permissions allow.</p>
      {hasKeys(list) ? <Filters filter={list.filter} /> : null}
      <ApiKeyList {...list} />
      <NewKeyDialog options={options} />
    </div>
  </>
)

export const ApiKeyList = (props: ApiKeyListProps) => (
  <div class="bleed" id="api-keys">
    <Content {...props} />
  </div>
)

const Content = (props: ApiKeyListProps) => {
  if (props.keys.length > 0) return <Table {...props} />
  return hasKeys(props) ? <NoMatch /> : <None />
}

const isFiltered = ({ q, mode }: KeyFilter): boolean => Boolean(q) || mode !== undefined

const hasKeys = ({ keys, filter }: ApiKeyListProps): boolean => keys.length > 0 || isFiltered(filter)

const Filters = ({ filter: { q, mode } }: { filter: KeyFilter }) => (
  <form
    class="filters"
    role="search"
    aria-label="Filter keys"
    action="/settings/keys"
    hx-get="/api/api-keys"
    hx-vals={JSON.stringify({ limit: keysPerPage })}
    hx-target="#api-keys"
    hx-swap="outerMorph"
    hx-sync="this:replace"
    hx-trigger="input changed delay:300ms from:#key-search, change from:#key-mode, submit"
  >
    <label class="input">
      <Icon name="search" />
      <input
        id="key-search"
        type="search"
        name="q"
        placeholder="Name or last characters"
        aria-label="Name or last characters"
        value={q}
        maxlength={100}
      />
    </label>
    <select class="input" id="key-mode" name="mode" aria-label="Mode">
      <option value="">Live and test</option>
      <option value="live" selected={mode === 'live'}>
        Live
      </option>
      <option value="test" selected={mode === 'test'}>
        Test
      </option>
    </select>
  </form>
)

const NoMatch = () => (
  <Empty icon="search" small title="No results" text="No key matches these filters.">
    <ButtonLink label="Clear filters" href="/settings/keys" />
  </Empty>
)

const NewKeyButton = () => (
  <Button label="Create key" icon="plus" variant="primary" commandfor={newKeyDialog} command="show-modal" />
)

const None = () => (
  <Empty icon="key-round" title="No keys yet" text="Create a key for each program, with only the scopes it needs.">
    <NewKeyButton />
  </Empty>
)

const columns = 6

const Table = (props: ApiKeyListProps) => (
  <table class="table keys" data-list data-lines="2">
    <caption class="visually-hidden">API keys</caption>
    <colgroup>
      <col />
      <col />
      <col class="c-last" />
      <col class="c-who" />
      <col class="c-end" />
      <col class="c-menu" />
    </colgroup>
    <thead>
      <tr>
        <th scope="col">Key</th>
        <th scope="col">Access</th>
        <th scope="col" safe>{`Last used (${viewerZoneName()})`}</th>
        <th scope="col">Acts as</th>
        <th scope="col">Expires</th>
        <th scope="col">
          <span class="visually-hidden">Actions</span>
        </th>
      </tr>
    </thead>
    <tbody>
      <Rows {...props} />
    </tbody>
    <More {...props} />
  </table>
)

/** In groups, where all keys are listed. */
const Rows = ({ keys, nextCursor, filter }: ApiKeyListProps) => {
  if (nextCursor !== null || filter.cursor !== undefined) return <Group keys={keys} />
  const isRest = (key: ApiKeyDetail) => !needsAttention(key) && !hasEnded(key)
  return (
    <>
      <Group title="Needs attention" keys={keys.filter(needsAttention)} />
      <Group title="Active" keys={keys.filter(isRest)} />
      <Group title="Ended" keys={keys.filter(hasEnded)} />
    </>
  )
}

const Group = ({ title, keys }: { title?: string; keys: ApiKeyDetail[] }) =>
  keys.length > 0 ? (
    <>
      {title ? (
        <tr data-group>
          <th colspan={columns} scope="colgroup">
            <span safe>{title}</span> <small class="muted">{keys.length}</small>
          </th>
        </tr>
      ) : null}
      {keys.map((key) => (
        <ApiKeyRow apiKey={key} />
      ))}
    </>
  ) : (
    <></>
  )

const More = ({ keys, nextCursor, filter: { q, mode } }: ApiKeyListProps) => {
  if (!nextCursor) return <></>
  const query = new URLSearchParams({ ...(q && { q }), ...(mode && { mode }), cursor: nextCursor })
  return (
    <MoreRows
      label="More keys"
      summary={`${keys.length} more loaded`}
      next={`/settings/keys?${query}`}
      from={`/api/api-keys?limit=${keysPerPage}&${query}`}
      columns={columns}
    />
  )
}
