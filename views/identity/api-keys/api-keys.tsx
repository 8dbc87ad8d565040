import { viewerZoneName } from '#views/ui/time.tsx'
import type { ApiKeyDetail, ApiKeyOptions } from '#identity/types'
import { Button } from '#views/ui/button.tsx'
import { Empty } from '#views/ui/feedback.tsx'
import { MoreRows } from '#views/ui/lists.tsx'
import { ApiKeyRow, hasEnded, needsAttention } from './api-key-row.tsx'
import { NewKeyDialog, newKeyDialog } from './new-key-dialog.tsx'

interface ApiKeyListProps {
  keys: ApiKeyDetail[]
  nextCursor: string | null
  /** They follow another page. */
  cursor?: string
}

export interface ApiKeysProps extends ApiKeyListProps {
  options: ApiKeyOptions
}

/** More than most organizations have; further keys are loaded on request. */
export const keysPerPage = 50

export const ApiKeys = ({ keys, nextCursor, cursor, options }: ApiKeysProps) => (
  <>
    <header class="page-header">
      <h1>API keys</h1>
      <div class="actions">{keys.length > 0 ? <NewKeyButton /> : null}</div>
    </header>
    <div class="page stack" style="--measure: 80rem; --gap: var(--space-5)">
      <p class="muted prose">API keys can only do what their scopes and their owner’s permissions allow.</p>
      <ApiKeyList keys={keys} nextCursor={nextCursor} cursor={cursor} />
      <NewKeyDialog options={options} />
    </div>
  </>
)

export const ApiKeyList = (props: ApiKeyListProps) => (props.keys.length > 0 ? <Table {...props} /> : <None />)

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
  <div class="bleed">
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
  </div>
)

/** In groups, where all keys are listed. */
const Rows = ({ keys, nextCursor, cursor }: ApiKeyListProps) => {
  if (nextCursor !== null || cursor !== undefined) return <Group keys={keys} />
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

const More = ({ keys, nextCursor }: ApiKeyListProps) => {
  if (!nextCursor) return <></>
  const cursor = `cursor=${encodeURIComponent(nextCursor)}`
  return (
    <MoreRows
      label="More keys"
      summary={`${keys.length} more loaded`}
      next={`/settings/keys?${cursor}`}
      from={`/api/api-keys?limit=${keysPerPage}&${cursor}`}
      columns={columns}
    />
  )
}
