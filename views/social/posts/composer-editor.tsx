import { Button } from '#views/ui/button.tsx'
import { GenerateLink } from '../images/generate-dialog.tsx'
import type { Account } from './composer-targets.tsx'
import { networkNames } from './post-text.ts'

interface EditorProps {
  brand: { id: string }
  text: string
  canAdd: boolean
  /** Whether stored input is for several networks, whose tabs are then there from the beginning. */
  isSplit: boolean
}

export const Editor = ({ brand, text, canAdd, isSplit }: EditorProps) => (
  <div class="editor">
    {canAdd ? <div class="tabs" role="tablist" aria-label="Text per network" data-networks hidden={!isSplit} /> : null}
    <div id="texts">
      <ol class="parts">
        <Part text={text} isFirst={canAdd} />
      </ol>
    </div>
    {canAdd ? (
      <template data-part>
        <Part text="" />
      </template>
    ) : null}
    <footer>
      <Button label="Add files" icon="image-plus" iconOnly variant="ghost" data-add-images />
      <Button label="Choose from library" icon="image" iconOnly variant="ghost" data-from-library />
      <GenerateLink brand={brand} iconOnly />
      {canAdd ? <Button label="Add to thread" icon="plus" variant="ghost" size="sm" data-add /> : null}
    </footer>
  </div>
)

const Part = ({ text, isFirst = false }: { text: string; isFirst?: boolean }) => (
  <li class="field">
    <textarea
      name="text"
      rows="4"
      aria-label="Text"
      aria-describedby="counts"
      placeholder="What do you want to share?"
      autofocus={isFirst}
      safe
    >
      {text}
    </textarea>
    <span class="part-no row" hidden>
      <span class="badge" />
      <Button label="Remove this post" icon="x" iconOnly variant="ghost" size="sm" data-remove />
    </span>
  </li>
)

/** One for each network; `post-composer.js` fills them by the limits of the chosen accounts. */
export const Counts = ({ accounts }: { accounts: Account[] }) => (
  <div class="row" data-wrap id="counts" style="--gap: .5rem 1.25rem" role="group" aria-label="Characters per network">
    {[...new Set(accounts.map(({ provider }) => provider))].map((provider) => (
      <span class="count" data-provider={provider} hidden>
        <i />
        <span data-network safe>
          {networkNames[provider]}
        </span>
        <output />
      </span>
    ))}
  </div>
)

/** What networks don’t accept of the later posts of a thread, which the script writes. */
export const ThreadLimits = () => <p class="small" id="thread-limits" role="status" data-wrong />
