import { Button } from '#views/ui/button.tsx'
import type { Account } from './composer-targets.tsx'
import { networkNames } from './line.ts'

interface EditorProps {
  text: string
  /** Parts can be added, which makes it a thread. */
  parts: boolean
}

/** The text, in as many parts as the thread has. */
export const Editor = ({ text, parts }: EditorProps) => (
  <div class="editor">
    <ol class="parts">
      <Part text={text} />
    </ol>
    {parts ? (
      <template data-part>
        <Part text="" />
      </template>
    ) : null}
    <footer>
      <Button label="Add images" icon="image-plus" iconOnly variant="ghost" data-add-images />
      {parts ? <Button label="Add part" icon="plus" variant="ghost" size="sm" data-add /> : null}
    </footer>
  </div>
)

const Part = ({ text }: { text: string }) => (
  <li>
    <textarea name="text" rows="4" aria-label="Text" aria-describedby="counts" safe>
      {text}
    </textarea>
    <span class="part-no row" hidden>
      <span class="badge" />
      <Button label="Remove this part" icon="x" iconOnly variant="ghost" size="sm" data-remove />
    </span>
  </li>
)

/** How much of each network's limit the text takes; the longest part counts. */
export const Counts = ({ accounts }: { accounts: Account[] }) => (
  <div class="row" data-wrap id="counts" style="--gap: .5rem 1.25rem" role="group" aria-label="Characters per network">
    {networksOf(accounts).map(({ provider, limit, address }) => (
      <span class="count" data-provider={provider} data-limit={limit} data-address={address} hidden>
        <i />
        <span safe>{networkNames[provider]}</span>
        <output />
      </span>
    ))}
  </div>
)

/** One account of each network: the one that takes least. */
const networksOf = (accounts: Account[]): Account[] => [
  ...new Map(accounts.toSorted((a, b) => b.limit - a.limit).map((account) => [account.provider, account])).values(),
]
