import type { BulkResult, MediaTag } from '#social/types'
import { Button } from '#views/ui/button.tsx'
import { Notice } from '#views/ui/feedback.tsx'
import { Form, TextField } from '#views/ui/form.tsx'
import { Dialog, DialogButtons } from '#views/ui/overlays.tsx'

/** A change of the selected files: the element `media-library` reloads the list afterwards. */
const changing = {
  'hx-post': '/api/media/bulk',
  'hx-include': '#files [name=ids]:checked',
  'hx-target': '#bulk-problems',
  'hx-swap': 'innerHTML',
  'data-bulk': true,
} as const

const vals = (action: string) => JSON.stringify({ action })

const opens = (dialog: string) => ({ commandfor: dialog, command: 'show-modal' })

/** Shown while files are selected. */
export const MediaSelection = ({ tags }: { tags: readonly MediaTag[] }) => (
  <>
    <div class="selection" id="selection" role="toolbar" aria-label="Selected files" hidden>
      <span class="nowrap" role="status">
        <b data-count>0</b> selected
      </span>
      <Button label="Tag" icon="tag" size="sm" variant="ghost" {...opens('bulk-tag')} />
      <Button label="Delete" icon="trash-2" size="sm" variant="ghost" {...opens('bulk-delete')} />
      <Button label="Clear selection" icon="x" iconOnly size="sm" variant="ghost" data-clear />
    </div>
    <KnownTags tags={tags} />
    <Dialog id="bulk-tag" title="Tag the selected files">
      <Form hx-vals={vals('tag')} {...changing}>
        <div class="body">
          <TextField
            label="Tags to add"
            name="tags"
            id="bulk-tags"
            hint="Separate them with commas."
            list="known-tags"
            autocomplete="off"
            required
            autofocus
          />
        </div>
        <DialogButtons dialog="bulk-tag" submit="Add" />
      </Form>
    </Dialog>
    <Dialog id="bulk-delete" title="Delete the selected files?">
      <Form hx-vals={vals('delete')} {...changing}>
        <div class="body">
          <p>Files that posts use stay. This can’t be undone.</p>
        </div>
        <DialogButtons dialog="bulk-delete" submit="Delete" danger focusCancel />
      </Form>
    </Dialog>
  </>
)

/** What a field of tags suggests. */
export const KnownTags = ({ tags }: { tags: readonly MediaTag[] }) => (
  <datalist id="known-tags">
    {tags.map(({ tag }) => (
      <option value={tag} />
    ))}
  </datalist>
)

/** The response to a change of several files. */
export const MediaBulkProblems = ({ items, failed }: BulkResult) => {
  if (failed === 0) return <></>
  const used = items.filter(({ error }) => error?.code === 'media_in_use').length
  const others = items.flatMap(({ error }) => (error && error.code !== 'media_in_use' ? [error.detail] : []))
  const reasons = [
    ...(used > 0 ? ['Posts use them. Open a file to see which, and remove it from them first.'] : []),
    ...new Set(others),
  ]
  return (
    <Notice
      tone="warning"
      role="alert"
      dismissable
      title={failed === 1 ? '1 file wasn’t changed' : `${failed} files weren’t changed`}
      text={reasons.join(' ')}
    />
  )
}
