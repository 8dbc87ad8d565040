import { viewerZoneName } from '#views/ui/time.tsx'
import type { ApiKeyDetail, ApiKeyOptions } from '#identity/types'
import { Button } from '#views/ui/button.tsx'
import { Empty } from '#views/ui/feedback.tsx'
import { MoreRows } from '#views/ui/lists.tsx'
import { ApiKeyRow } from './api-key-row.tsx'
import { NewKeyDialog, newKeyDialog } from './new-key-dialog.tsx'

interface ApiKeyListProps {
  keys: ApiKeyDetail[]
  nextCursor: string | null
}

export interface ApiKeysProps extends ApiKeyListProps {
  options: ApiKeyOptions
}

/** More than most organizations have; further keys are loaded on request. */
export const keysPerPage = 50

export const ApiKeys = ({ keys, nextCursor, options }: ApiKeysProps) => (
  <div class="page" style="--measure: 60rem">
    <section class="section" aria-labelledby="keys">
      <header>
        <h1 id="keys">API keys</h1>
        {keys.length > 0 ? <NewKeyButton /> : null}
      </header>
      <p class="muted prose">API keys can only do what their scopes and their owner’s permissions allow.</p>
      <ApiKeyList keys={keys} nextCursor={nextCursor} />
    </section>
    <NewKeyDialog options={options} />
  </div>
)

export const ApiKeyList = (props: ApiKeyListProps) => (props.keys.length > 0 ? <Table {...props} /> : <None />)

const NewKeyButton = () => (
  <Button label="New key" icon="plus" variant="primary" commandfor={newKeyDialog} command="show-modal" />
)

const None = () => (
  <Empty
    icon="key-round"
    title="No keys yet"
    text="Create a key for each program, with only the scopes it needs."
    heading="h2"
  >
    <NewKeyButton />
  </Empty>
)

const Table = (props: ApiKeyListProps) => (
  <table class="table keys" data-list>
    <caption class="visually-hidden">API keys</caption>
    <thead>
      <tr>
        <th scope="col">Name</th>
        <th scope="col">Scopes</th>
        <th scope="col" safe>{`Last used (${viewerZoneName()})`}</th>
        <th scope="col" safe>{`Expires (${viewerZoneName()})`}</th>
        <th scope="col">
          <span class="visually-hidden">Actions</span>
        </th>
      </tr>
    </thead>
    <tbody>
      {props.keys.map((key) => (
        <ApiKeyRow apiKey={key} />
      ))}
    </tbody>
    <More {...props} />
  </table>
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
      columns={5}
    />
  )
}
